import * as v from 'valibot';
import { isCurrency } from '#shared/domain/currency.ts';
import { decimalFromNumber, isDecimal } from '#shared/domain/money.ts';
import type { FetchedRows } from '#shared/domain/remote/preview.ts';
import { describedRow, type RemoteRow } from '#shared/domain/remote/row.ts';
import { UNUSABLE_REASONS, type UnusableEntry, type UnusableReason } from '#shared/domain/remote/unusable-entry.ts';
import { cleanText } from '#shared/domain/text.ts';
import { MAX_DURATION_MINUTES } from '#shared/domain/tracker/entry.ts';
import { MAX_TAG_CHARACTERS } from '#shared/domain/tracker/tags.ts';
import { isWorkDate, minutesOfHours } from '#shared/domain/tracker/work-time.ts';

const named = v.nullish(v.object({ name: v.string() }), null);

const MINUTES_PER_HOUR = 60;

const EXCESSIVE_RATE = 1e12;

const currency = v.pipe(
  v.string(),
  v.check((code) => isBlank(code) || isCurrency(code), 'unknown_currency' satisfies UnusableReason),
);

/** Anything else is unusable: to guess its price or its day would bill wrongly. Some rules name the reason. */
const harvestEntry = v.object({
  id: v.pipe(v.number(), v.safeInteger()),
  spent_date: v.pipe(v.string(), v.check(isWorkDate)),
  hours: v.pipe(
    v.number(),
    v.minValue(0, 'negative_duration' satisfies UnusableReason),
    v.maxValue(MAX_DURATION_MINUTES / MINUTES_PER_HOUR),
  ),
  notes: v.nullish(v.string(), ''),
  is_running: v.nullish(v.boolean(), false),
  billable: v.nullish(v.boolean(), true),
  billable_rate: v.nullish(v.pipe(v.number(), v.minValue(0), v.ltValue(EXCESSIVE_RATE)), null),
  client: v.nullish(v.object({ name: v.string(), currency: v.nullish(currency, '') }), null),
  project: named,
  task: named,
  user: named,
});

type HarvestEntry = v.InferOutput<typeof harvestEntry>;

/** Whatever an entry has of this, it can be found by at the provider. */
const traces = v.object({
  id: v.fallback(v.nullable(v.union([v.string(), v.number()])), null),
  spent_date: v.fallback(v.nullable(v.string()), null),
  hours: v.fallback(v.nullable(v.pipe(v.number(), v.finite())), null),
});

/** Without a row it is skipped, and perhaps unusable. */
interface Judged {
  readonly externalId: string | null;
  readonly row?: RemoteRow;
  readonly unusable?: UnusableEntry;
}

export class RowCollection {
  /** By the provider's id, because a list that changes may show an entry on two pages. */
  readonly #entries = new Map<unknown, Judged>();

  /** Judges each by itself, so that none keeps the others out. */
  add(entries: readonly unknown[]): void {
    for (const entry of entries) {
      const judged = judge(entry);
      this.#entries.set(judged.externalId ?? judged, judged);
    }
  }

  get entryCount(): number {
    return this.#entries.size;
  }

  fetched(): FetchedRows {
    const entries = [...this.#entries.values()];
    const skipped = entries.filter(({ row }) => row === undefined);
    return {
      rows: entries.flatMap(({ row }) => row ?? []),
      skippedEntries: skipped.length,
      skippedIds: skipped.flatMap(({ externalId }) => externalId ?? []),
      unusableEntries: skipped.flatMap(({ unusable }) => unusable ?? []),
      totalEntries: this.entryCount,
    };
  }
}

function judge(input: unknown): Judged {
  const { success, output, issues } = v.safeParse(harvestEntry, input);
  if (success) return { externalId: String(output.id), row: takenRowOf(output) };
  const unusable = unusableEntry(input, issues);
  return { externalId: unusable.externalId, unusable };
}

function unusableEntry(input: unknown, issues: readonly { readonly message: string }[]): UnusableEntry {
  const { id, spent_date: date, hours } = v.parse(traces, Object(input));
  return {
    externalId: id === null ? null : orNull(cutName(String(id))),
    date: date === null ? null : cutName(date),
    hours,
    reason: UNUSABLE_REASONS.find((reason) => issues.some(({ message }) => message === reason)) ?? 'invalid',
  };
}

/** None for a running timer, which still grows, and for an entry of zero minutes. */
function takenRowOf(entry: HarvestEntry): RemoteRow | undefined {
  const row = entry.is_running ? undefined : rowOf(entry);
  return row && row.durationMinutes > 0 ? row : undefined;
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
    currency: orNull(client?.currency.toUpperCase() ?? ''),
    tags: tagsOf(entry),
  });
}

const MAX_DESCRIPTION_CHARACTERS = 2_000;

const MAX_NAME_CHARACTERS = 255;

function descriptionOf({ notes, task }: HarvestEntry): string {
  const text = cut(notes, MAX_DESCRIPTION_CHARACTERS);
  return isBlank(text) ? cut(task?.name ?? '', MAX_DESCRIPTION_CHARACTERS) : text;
}

function tagsOf({ task }: HarvestEntry): string[] {
  const tag = cut((task?.name ?? '').trim(), MAX_TAG_CHARACTERS).trim();
  return tag === '' ? [] : [tag];
}

function nameOf(object: { readonly name: string } | null): string | null {
  return orNull(cutName(object?.name ?? ''));
}

export function cutName(name: string): string {
  return cut(name, MAX_NAME_CHARACTERS);
}

function orNull(text: string): string | null {
  return isBlank(text) ? null : text;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function cut(text: string, maximum: number): string {
  const clean = cleanText(text.toWellFormed());
  return clean.length > maximum ? [...clean].slice(0, maximum).join('') : clean;
}

const RATE_DIGITS = 6;

/** Rounds a rate with too many digits, such as a third. Written as a confirm writes it, so both make the same row. */
function rateOf({ billable_rate: rate }: HarvestEntry): string | null {
  if (rate === null) return null;
  const exact = decimalFromNumber(rate);
  return isDecimal(exact) ? exact : decimalFromNumber(Number(rate.toFixed(RATE_DIGITS)));
}
