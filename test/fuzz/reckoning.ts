import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Cloud } from '#scripts/local/cloud.ts';
import { entryKey } from '#shared/data/layout/keys.ts';
import { listOpenImports } from '#shared/data/remote/imports.ts';
import { parseEntry, type StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { formatMinor } from '#shared/domain/money.ts';
import { amountMinorOf } from '#shared/domain/tracker/entry.ts';
import { calendarCounts, countDates, ledgerSums, recount } from '#test/support/bulk-entries.ts';
import type { Client, Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import type { Actor } from './actor.ts';
import { compareInvoices } from './invoice-reckoning.ts';
import type { ScheduledWork } from './scheduled-work.ts';
import { scanTable } from './table-scan.ts';
import { baseOf, KINDS, TRACKER } from './workplace.ts';

/**
 * Compares what is there in the end, once nothing fails any more, with what the answers have told; and every sum with a
 * recount.
 */
export async function reckon(cloud: Cloud, actors: readonly Actor[], scheduled: ScheduledWork): Promise<string[]> {
  const [first] = actors;
  if (!first) throw new Error('Nobody has worked.');
  const violations = await settle(cloud);
  const blame = (fault: string) => void violations.push(fault);
  const entries = await storedEntries(first.by);
  await compareThings(first.by, actors, blame);
  const shown = await listAll(first.by, `${TRACKER}/entries`, blame);
  await compareEntries(first.by, entries, shown, blame);
  const billings = actors.map(({ billing }) => billing);
  await compareInvoices(first.by, billings, await listAll(first.by, '/invoices', blame), { entries, shown }, blame);
  compareBatches(actors, entries, blame);
  await compareJobs(first.by, entries, blame);
  for (const actor of actors) {
    await compareSessions(actor, entries, blame);
    await compareConnection(actor, blame);
  }
  await compareSynced(scheduled, blame);
  return violations;
}

type Blame = (fault: string) => void;

const AN_HOUR_MILLISECONDS = 3_600_000;

/** What the workers have not ended by then has died: the sample in `npm test` shall not wait for it long. */
const WORKING_MILLISECONDS = 3_000;
const SWEEPING_MILLISECONDS = 60_000;

const SWEEP = 'sweep-imports';

/** Lets the workers finish, then the schedules clear up what died, as they would within minutes. */
async function settle(cloud: Cloud): Promise<string[]> {
  if (await isAtRestWithin(WORKING_MILLISECONDS)) return [];
  const soon = new Date(Date.now() + AN_HOUR_MILLISECONDS);
  await cloud.fireSchedule(SWEEP, soon);
  return (await isAtRestWithin(SWEEPING_MILLISECONDS)) ? [] : ['An import has not ended.'];
}

async function isAtRestWithin(milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  const later = new Date(Date.now() + 2 * AN_HOUR_MILLISECONDS);
  while (Date.now() < deadline) {
    if ((await listOpenImports(later)).length === 0) return true;
    await sleep(100);
  }
  return false;
}

/** Entries as they lie in the table, whatever lists show. */
async function storedEntries({ organization }: User): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const item of scanTable()) {
    const isEntry = item.sk === entryKey('', '').sk && String(item.pk).startsWith(entryKey(organization.id, '').pk);
    if (isEntry) entries.push(parseEntry(organization.id, item));
  }
  return entries;
}

const PAGE = 100;

/** Every page of a list; the total has to be the number of its items. */
export async function listAll(by: Pick<Client, 'get'>, path: string, blame: Blame, query: Json = {}): Promise<Json[]> {
  const items: Json[] = [];
  let total = 0;
  do {
    const { body } = await by.get(path, { ...query, limit: PAGE, offset: items.length });
    total = body.meta.total;
    items.push(...body.data);
    if (body.data.length === 0) break;
  } while (items.length < total);
  if (items.length !== total) blame(`${path} counts ${total} and lists ${items.length}`);
  return items;
}

/** Everything that was made is there once, as it was last changed, and nothing else is. */
async function compareThings(by: User, actors: readonly Actor[], blame: Blame): Promise<void> {
  for (const { kind, path, mark } of KINDS) {
    const query = kind === 'product' ? { includeInactive: true } : {};
    const found = Map.groupBy(await listAll(by, path, blame, query), (item) => baseOf(String(item[mark])));
    const known = actors.flatMap(({ things }) => [...things]).filter(([, each]) => each.kind.kind === kind);
    for (const [base, { thing }] of known) {
      const marks = (found.get(base) ?? []).map((item) => item[mark]);
      if (marks.length > 1) blame(`${base} is there ${marks.length} times`);
      if (!thing.may(marks[0] ?? null)) blame(`${base} is ${marks[0] ?? 'not there'}, though it is ${thing}`);
    }
    const bases = new Set(known.map(([base]) => base));
    for (const base of found.keys())
      if (base.startsWith(`${kind}-`) && !bases.has(base)) blame(`${base} comes from nowhere`);
  }
}

/** Lists, ledger, calendar, summary, projects and links agree with the entries. */
export async function compareEntries(
  by: User,
  entries: readonly StoredEntry[],
  listed: readonly Json[],
  blame: Blame,
): Promise<void> {
  const ids = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id).sort();
  if (!isDeepStrictEqual(ids(listed as StoredEntry[]), ids(entries)))
    blame('The list has other entries than the table');
  if (!isDeepStrictEqual(await ledgerSums(by), recount(entries))) blame('The ledger differs from a recount');
  if (!isDeepStrictEqual(await calendarCounts(by), countDates(entries))) blame('The calendar differs from a recount');
  const minutes = entries.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  const { body } = await by.get(`${TRACKER}/entries/summary`, { dateFrom: '2020-01-01', dateTo: '2030-12-31' });
  if (body.data.trackedMinutes !== minutes)
    blame(`The summary has ${body.data.trackedMinutes} instead of ${minutes} minutes`);
  const projects = await listAll(by, `${TRACKER}/projects`, blame);
  const clients = new Set((await listAll(by, '/clients', blame)).map(({ id }) => id));
  for (const project of projects) compareProject(project, entries, clients, blame);
  const projectIds = new Set(projects.map(({ id }) => id));
  for (const { id, projectId, clientId } of listed) {
    if (projectId !== null && !projectIds.has(projectId)) blame(`The entry ${id} is linked to a deleted project`);
    if (clientId !== null && !clients.has(clientId)) blame(`The entry ${id} is linked to a deleted client`);
  }
}

function compareProject(
  project: Json,
  entries: readonly StoredEntry[],
  clients: ReadonlySet<string>,
  blame: Blame,
): void {
  const own = entries.filter(({ projectId }) => projectId === project.id);
  const minutes = (some: readonly StoredEntry[]) => some.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  const expected = {
    totalMinutes: minutes(own),
    billableMinutes: minutes(own.filter(({ billable }) => billable)),
    amountsByCurrency: amountsOf(own),
  };
  const { totalMinutes, billableMinutes, amountsByCurrency, clientId } = project;
  if (!isDeepStrictEqual({ totalMinutes, billableMinutes, amountsByCurrency }, expected))
    blame(`The totals of ${project.name} differ from a recount`);
  if (clientId !== null && !clients.has(clientId)) blame(`${project.name} is linked to a deleted client`);
}

function amountsOf(entries: readonly StoredEntry[]): readonly Json[] {
  return [...Map.groupBy(entries, ({ currency }) => currency)]
    .map(([currency, group]) => ({ currency, minor: group.reduce((sum, entry) => sum + amountMinorOf(entry), 0n) }))
    .filter(({ minor }) => minor !== 0n)
    .map(({ currency, minor }) => ({ currency, amount: formatMinor(minor, currency) }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** A row has one entry at most; all have one where the import has succeeded, and none where it was undone. */
function compareBatches(actors: readonly Actor[], entries: readonly StoredEntry[], blame: Blame): void {
  const counts = Map.groupBy(entries, ({ description }) => description);
  for (const { rows, state } of actors.flatMap(({ remote }) => remote.batches)) {
    for (const { description } of rows) {
      const count = counts.get(description)?.length ?? 0;
      if (count > 1) blame(`${description} was imported ${count} times`);
      if (!state.may(count === 0 ? null : 'there')) blame(`${description} has ${count} entries, though it is ${state}`);
    }
  }
}

/**
 * Imports have ended, and their counts add up and agree with the entries.
 *
 * @param areKept whether nobody has deleted or undone what was imported
 */
async function compareJobs(by: User, entries: readonly StoredEntry[], blame: Blame, areKept = false): Promise<void> {
  const made = Map.groupBy(entries, ({ imported }) => imported?.jobId);
  for (const job of await listAll(by, `${TRACKER}/remote/sync/history`, blame)) {
    const { id, status, importedCount, updatedCount, skippedCount, rowCountInvalid, rowCountTotal } = job;
    if (status === 'processing') blame(`The import ${id} has not ended`);
    if (importedCount + updatedCount + skippedCount + rowCountInvalid !== rowCountTotal)
      blame(`The counts of the import ${id} do not add up`);
    const count = made.get(id)?.length ?? 0;
    const isLess = areKept && status === 'imported' && count < importedCount;
    if (isLess || count > importedCount) blame(`The import ${id} counts ${importedCount} entries and made ${count}`);
    if (status === 'undone' && count > 0) blame(`The import ${id} was undone and has ${count} entries`);
  }
}

/** A stopped session has booked one entry, no other session has, and one runs at most. */
async function compareSessions({ by, sessions }: Actor, entries: readonly StoredEntry[], blame: Blame): Promise<void> {
  const listed = await listAll(by, `${TRACKER}/timer/sessions`, blame);
  const booked = Map.groupBy(entries, ({ timerSessionId }) => timerSessionId);
  const found = new Map(listed.map((session) => [session.description, session]));
  if (found.size !== listed.length) blame(`${by.userId} has a session twice`);
  for (const [text, thing] of sessions) {
    const status = found.get(text)?.status ?? null;
    if (!thing.may(status)) blame(`${text} is ${status}, though it is ${thing}`);
  }
  for (const { id, status, description, workEntryId } of listed) {
    const ids = (booked.get(id) ?? []).map((entry) => entry.id);
    if (!isDeepStrictEqual(ids, status === 'stopped' ? [workEntryId] : []))
      blame(`${description} has booked ${ids.length} entries`);
    if (!sessions.has(description)) blame(`${description} comes from nowhere`);
  }
  if (listed.filter(({ status }) => status === 'running').length > 1) blame(`${by.userId} has several running timers`);
}

async function compareConnection({ hermit, remote: { connection } }: Actor, blame: Blame): Promise<void> {
  const { data } = (await hermit.get(`${TRACKER}/remote`)).body;
  const state = data.connected ? String(data.syncIntervalMinutes) : null;
  if (!connection.may(state)) blame(`A connection is ${state}, though it is ${connection}`);
}

/** Whatever syncs have failed before: the next succeeds, and then everything that the provider has is there once. */
async function compareSynced(scheduled: ScheduledWork, blame: Blame): Promise<void> {
  if (!(await scheduled.end())) blame('No sync has succeeded though nothing else has failed');
  const entries = await storedEntries(scheduled.by);
  await compareJobs(scheduled.by, entries, blame, true);
  const descriptions = entries.map(({ description }) => description).sort();
  if (!isDeepStrictEqual(descriptions, scheduled.texts.toSorted()))
    blame(`The provider has ${scheduled.texts.length} entries, and synced are ${descriptions.join(', ')}`);
  if (!isDeepStrictEqual(await ledgerSums(scheduled.by), recount(entries)))
    blame('The ledger of the synced organization differs from a recount');
}
