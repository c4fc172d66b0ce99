import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import type { Desk } from './desk.ts';
import { entryCreation, linkTo, type Write } from './entry-writes.ts';
import { CURRENCIES, DAYS, NAMES, WORDS, WORKERS } from './vocabulary.ts';

/** Writes of work at the provider. */

/** So many pieces of work the provider knows at most. */
const REMOTE_WORKS = 40;

/** First the provider's entries change; then some of them are imported, perhaps some that were imported before. */
export function newImport(desk: Desk): Write {
  const { account, books, dice, imports, userId } = desk;
  const rows = remoteRows(desk);
  const mappingTo = (things: ReadonlyMap<string, unknown>) =>
    Object.fromEntries(NAMES.filter(() => dice.chance(0.15)).map((name) => [name, linkTo(desk, things) ?? null]));
  const body = {
    rows: rows.filter(() => dice.chance(0.5)).map((row) => ({ ...row, rate: Number(row.rate) })),
    clientMapping: mappingTo(books.clients),
    projectMapping: mappingTo(books.projects),
    userMapping: Object.fromEntries(
      dice.chance(0.3) ? [[dice.pick(WORKERS), dice.pick([...books.users.keys(), null])]] : [],
    ),
    updateChanged: dice.chance(0.5),
  };
  if (body.rows.length === 0) return entryCreation(desk);
  const prepare = async () => {
    imports.remoteRows = rows;
    await account.change({ entries: rows.map(remoteEntryOf) });
  };
  return {
    endpoint: confirmRemoteSync,
    body,
    prepare,
    effect: (told, parsed) => imports.confirm(userId, parsed, told),
  };
}

function remoteRows({ dice }: Desk): RemoteRow[] {
  const rows = Array.from({ length: REMOTE_WORKS }, (_, number) => ({
    date: dice.pick(DAYS),
    durationMinutes: 15 * (1 + (number % 7)),
    description: dice.pick(WORDS),
    project: dice.pick(NAMES),
    client: dice.pick(NAMES),
    user: dice.pick(WORKERS),
    externalId: String(number + 1),
    billable: dice.chance(0.8),
    rate: dice.pick(['100', '33.33']),
    currency: dice.pick(CURRENCIES),
  }));
  const isLater = (one: RemoteRow, other: RemoteRow) =>
    one.date === other.date ? Number(one.externalId) > Number(other.externalId) : one.date > other.date;
  return rows.filter(() => dice.chance(0.7)).sort((one, other) => (isLater(one, other) ? -1 : 1));
}

function remoteEntryOf({
  externalId,
  durationMinutes,
  description,
  project,
  client,
  user,
  rate,
  currency,
  ...row
}: RemoteRow) {
  return {
    date: row.date,
    billable: row.billable,
    id: Number(externalId),
    hours: durationMinutes / 60,
    notes: description,
    project: project ?? '',
    client: client ?? '',
    user: user ?? '',
    rate: Number(rate),
    currency: currency ?? '',
  };
}

export function importUndoing(desk: Desk): Write {
  const { dice, imports } = desk;
  const ids = [...imports.jobs.keys()].slice(-3);
  if (ids.length === 0) return newImport(desk);
  const id = dice.pick(ids);
  return { endpoint: undoRemoteSync, id, effect: () => imports.undo(id) };
}
