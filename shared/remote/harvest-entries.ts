import * as v from 'valibot';
import { isCurrency } from '#shared/domain/currency.ts';
import { decimalFromNumber, isDecimal } from '#shared/domain/money.ts';
import { describedRow, type RemoteRow } from '#shared/domain/remote/row.ts';
import { MAX_DURATION_MINUTES } from '#shared/domain/tracker/entry.ts';
import { isWorkDate, minutesOfHours } from '#shared/domain/tracker/work-time.ts';
import type { FetchedRows } from './provider.ts';

const named = v.nullish(v.object({ name: v.string() }), null);

const MINUTES_PER_HOUR = 60;

const EXCESSIVE_RATE = 1e12;

/** An invalid entry invalidates the whole answer: to leave it out, or to guess its price, would bill wrongly. */
export const harvestEntry = v.object({
  id: v.pipe(v.number(), v.safeInteger()),
  spent_date: v.pipe(v.string(), v.check(isWorkDate)),
  hours: v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_DURATION_MINUTES / MINUTES_PER_HOUR)),
  notes: v.nullish(v.string(), null),
  is_running: v.nullish(v.boolean(), false),
  billable: v.nullish(v.boolean(), true),
  billable_rate: v.nullish(v.pipe(v.number(), v.minValue(0), v.ltValue(EXCESSIVE_RATE)), null),
  client: v.nullish(v.object({ name: v.string(), currency: v.nullish(v.string(), null) }), null),
  project: named,
  task: named,
  user: named,
});

type HarvestEntry = v.InferOutput<typeof harvestEntry>;

export class RowCollection {
  /** By the provider's id, because a list that changes may show an entry on two pages. Null: skipped. */
  readonly #rows = new Map<string, RemoteRow | null>();

  add(entries: readonly HarvestEntry[]): void {
    for (const entry of entries) this.#rows.set(String(entry.id), takenRowOf(entry));
  }

  get entryCount(): number {
    return this.#rows.size;
  }

  fetched(): FetchedRows {
    const rows = [...this.#rows.values()].filter((row) => row !== null);
    const skippedIds = [...this.#rows].filter(([, row]) => row === null).map(([id]) => id);
    return { rows, skippedEntries: skippedIds.length, skippedIds, totalEntries: this.entryCount };
  }
}

/** Null for a running timer, which still grows, and for an entry of zero minutes. */
function takenRowOf(entry: HarvestEntry): RemoteRow | null {
  const row = entry.is_running ? null : rowOf(entry);
  return row && row.durationMinutes > 0 ? row : null;
}

function rowOf(entry: HarvestEntry): RemoteRow {
  const { id, spent_date, hours, billable, client, project, user } = entry;
  return describedRow({
    date: spent_date,
    durationMinutes: minutesOfHours(hours),
    description: descriptionOf(entry),
    project: nameOf(project),
    client: nameOf(client),
    user: nameOf(user),
    externalId: String(id),
    billable,
    rate: rateOf(entry),
    currency: client?.currency && isCurrency(client.currency) ? client.currency.toUpperCase() : null,
  });
}

const MAX_DESCRIPTION_CHARACTERS = 2_000;

const MAX_NAME_CHARACTERS = 255;

function descriptionOf({ notes, task }: HarvestEntry): string {
  return cut(isBlank(notes) ? (task?.name ?? '') : notes, MAX_DESCRIPTION_CHARACTERS);
}

function nameOf(object: { readonly name: string } | null): string | null {
  return object === null || isBlank(object.name) ? null : cutName(object.name);
}

export function cutName(name: string): string {
  return cut(name, MAX_NAME_CHARACTERS);
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === '';
}

function cut(text: string, maximum: number): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length > maximum ? [...wellFormed].slice(0, maximum).join('') : wellFormed;
}

const RATE_DIGITS = 6;

/** Rounds a rate with too many digits, such as a third. Written as a confirm writes it, so both make the same row. */
function rateOf({ billable_rate: rate }: HarvestEntry): string | null {
  if (rate === null) return null;
  const exact = decimalFromNumber(rate);
  return isDecimal(exact) ? exact : decimalFromNumber(Number(rate.toFixed(RATE_DIGITS)));
}
