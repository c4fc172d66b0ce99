import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Cloud } from '#scripts/local/cloud.ts';
import { entryKey } from '#shared/data/layout/keys.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import { declinedIdOf, parseEntry, type StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { presentProject } from '#shared/domain/tracker/project.ts';
import { calendarCounts, countDates, ledgerSums, recount, totalsOf } from '#test/support/bulk-entries.ts';
import type { Client, Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { scanTable } from '#test/support/table-scan.ts';
import { compareInvoices } from './invoice-reckoning.ts';
import { createInvoice } from './invoicing.ts';
import { type Records, THERE } from './records.ts';
import type { Scene } from './scene.ts';
import { baseOf, ENTRIES, INVOICES, KINDS, type Kind, PROJECTS, RANGE, REMOTE, TRACKER } from './vocabulary.ts';

type Blame = (fault: string) => void;

/**
 * Compares all that is there in the end, once nothing fails any more, with what the answers have told; and every sum
 * with a recount.
 *
 * @param cloud undefined where others use it too: then only the entries of the organization that any answer has shown
 * are read from the table, and nothing that has died is cleared up
 */
export async function reckon(scene: Scene, cloud: Cloud | undefined): Promise<void> {
  const { crew, records } = scene;
  const { blame } = crew;
  const [founder] = crew.users;
  await settle(founder, cloud, blame);
  for (const [name, register] of records.registers())
    for (const contradiction of register.contradictions()) blame(`The ${name} ${contradiction}`);
  if (records.invoices.size > 0) for (const currency of ['USD', 'JPY']) await billTheRest(scene, currency);
  const listed = await listAll(founder, ENTRIES, blame);
  const entries = cloud ? await everyEntry(founder) : await shownEntries(founder, records, listed);
  await compareEntries(founder, entries, listed, blame);
  await compareThings(founder, records, listed, blame);
  await compareInvoices(
    founder,
    records.invoices,
    await listAll(founder, INVOICES, blame),
    { entries, shown: listed },
    blame,
  );
  compareJobs(await listAll(founder, `${REMOTE}/sync/history`, blame), entries, records, blame);
  if (records.sessions.size > 0) for (const user of crew.users) await compareSessions(user, records, entries, blame);
}

const AN_HOUR_MILLISECONDS = 3_600_000;

/** After so long, imports that have not ended have died, and the schedule clears up what they have left. */
const WORKING_MILLISECONDS = 3_000;
const SWEEPING_MILLISECONDS = 60_000;
const PAUSE_MILLISECONDS = 100;

export async function settle(by: User, cloud: Cloud | undefined, blame: Blame): Promise<void> {
  const isAtRest = async () =>
    (await listAll(by, `${REMOTE}/sync/history`, blame)).every(({ status }) => status !== 'processing');
  if (await becomesTrue(isAtRest, WORKING_MILLISECONDS)) return;
  await cloud?.fireSchedule('sweep-imports', new Date(Date.now() + AN_HOUR_MILLISECONDS));
  if (!(await becomesTrue(isAtRest, SWEEPING_MILLISECONDS))) blame('An import has not ended');
}

export async function becomesTrue(isTrue: () => Promise<boolean>, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (await isTrue()) return true;
    await sleep(PAUSE_MILLISECONDS);
  }
  return false;
}

/** Last invoices bill exactly the time that shows as free: none is lost, and none is billed twice. */
async function billTheRest(scene: Scene, currency: string): Promise<void> {
  const { clientId, crew } = scene;
  const [founder] = crew.users;
  const shown = await listAll(founder, ENTRIES, crew.blame, { clientId, billingStatus: 'unbilled' });
  const free = shown.filter((entry) => entry.currency === currency && entry.rate !== null).map(({ id }) => id);
  if (free.length === 0) return;
  const content = { currency, timeEntries: { ...RANGE, groupBy: 'project' } };
  let invoice = await createInvoice(scene, founder, content);
  // An invoice that has died on its way still claims entries for a while.
  await becomesTrue(async () => {
    if (!invoice.id) invoice = await createInvoice(scene, founder, content);
    return invoice.id !== undefined;
  }, SWEEPING_MILLISECONDS);
  if (!isDeepStrictEqual(invoice.entryIds.toSorted(), free.toSorted()))
    crew.blame(
      `${free.length} entries show as free, and ${invoice.entryIds.length} are billed: ${invoice.entryIds.join(' ')}`,
    );
}

/** Entries as they lie in the table, whatever lists show. */
async function everyEntry({ organization }: User): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const item of scanTable()) {
    const isEntry = item.sk === entryKey('', '').sk && String(item.pk).startsWith(entryKey(organization.id, '').pk);
    if (isEntry && !declinedIdOf(item)) entries.push(parseEntry(organization.id, item));
  }
  return entries;
}

async function shownEntries(by: User, records: Records, listed: readonly Json[]): Promise<StoredEntry[]> {
  const ids = [...listed.map(({ id }) => id), ...records.found('entry', 'row').map(([, , id]) => id)];
  return readEntries(by.organization.id, new Set(ids));
}

const PAGE = 100;

/** Every page of a list; the total has to be the number of its items. */
async function listAll(by: Pick<Client, 'get'>, path: string, blame: Blame, query: Json = {}): Promise<Json[]> {
  const items: Json[] = [];
  let total = 0;
  do {
    const { status, body } = await by.get(path, { ...query, limit: PAGE, offset: items.length });
    if (status !== 200) throw new Error(`${path} answers ${status} ${body.code}`);
    total = body.meta.total;
    items.push(...body.data);
    if (body.data.length === 0) break;
  } while (items.length < total);
  if (items.length !== total) blame(`${path} counts ${total} and lists ${items.length}`);
  return items;
}

const NEW_TEXT = /^text \d+$/;

/** Each thing that was made is there once, with a text that it can have, and nothing else is. */
async function compareThings(by: User, records: Records, listed: readonly Json[], blame: Blame): Promise<void> {
  const found = new Map<string, { readonly kind: Kind; readonly marks: readonly string[] }>();
  for (const kind of ['product', 'client', 'project', 'key', 'entry'] as const) {
    const { path, mark } = KINDS[kind];
    const query = kind === 'product' ? { includeInactive: true } : {};
    const items = kind === 'entry' ? listed : await listAll(by, path, blame, query);
    const marks = items.map((item) => String(item[mark])).filter((text) => NEW_TEXT.test(baseOf(text)));
    for (const [base, all] of Map.groupBy(marks, baseOf)) found.set(base, { kind, marks: all });
  }
  for (const [base, { kind, register }] of records.things) {
    const [mark = null, ...more] = found.get(base)?.marks ?? [];
    if (more.length > 0) blame(`The ${kind} ${base} is there ${more.length + 1} times`);
    if (!register.mayLeave(kind === 'row' && mark !== null ? THERE : mark))
      blame(`The ${kind} ${base} is left as ${mark}, unlike ${register}`);
  }
  for (const [base, { kind }] of found)
    if (!records.things.has(base) && !records.sessions.has(base)) blame(`The ${kind} ${base} comes from nowhere`);
}

/** Lists, ledger, calendar, summary, projects and links agree with the entries. */
async function compareEntries(
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
  const billed = entries.reduce((sum, { billable, billedMinutes }) => sum + (billable ? billedMinutes : 0), 0);
  const { body } = await by.get(`${ENTRIES}/summary`, { dateFrom: '2020-01-01', dateTo: '2030-12-31' });
  if (body.data.trackedMinutes !== minutes)
    blame(`The summary has ${body.data.trackedMinutes} instead of ${minutes} minutes`);
  if (body.data.billedMinutes !== billed)
    blame(`The summary has ${body.data.billedMinutes} instead of ${billed} billed minutes`);
  const projects = await listAll(by, PROJECTS, blame);
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
  const recounted = presentProject({ ...project, totals: totalsOf(own) });
  if (!isDeepStrictEqual(project, recounted)) blame(`The totals of ${project.name} differ from a recount`);
  const { clientId } = project;
  if (clientId !== null && !clients.has(clientId)) blame(`${project.name} is linked to a deleted client`);
}

/** Imports have ended, and their counts add up and agree with the entries. */
function compareJobs(jobs: readonly Json[], entries: readonly StoredEntry[], records: Records, blame: Blame): void {
  const made = Map.groupBy(entries, ({ imported }) => imported?.jobId);
  for (const { id, status, importedCount, updatedCount, skippedCount, rowCountInvalid, rowCountTotal } of jobs) {
    if (status === 'processing') blame(`The import ${id} has not ended`);
    if (importedCount + updatedCount + skippedCount + rowCountInvalid !== rowCountTotal)
      blame(`The counts of the import ${id} do not add up`);
    const count = made.get(id)?.length ?? 0;
    const most = (status === 'undone' ? records.jobs.get(id) : undefined) ?? importedCount;
    if (count > most) blame(`The ${status} import ${id} has ${count} entries, and may have ${most}`);
  }
}

/** A stopped session has booked one entry, no other session has, and one runs at most. */
async function compareSessions(
  by: User,
  { sessions }: Records,
  entries: readonly StoredEntry[],
  blame: Blame,
): Promise<void> {
  const listed = await listAll(by, `${TRACKER}/timer/sessions`, blame);
  const booked = Map.groupBy(entries, ({ timerSessionId }) => timerSessionId);
  const found = new Map(listed.map((session) => [session.description, session]));
  if (found.size !== listed.length) blame(`${by.userId} has a session twice`);
  for (const [text, { register, userId }] of sessions) {
    const status = found.get(text)?.status ?? null;
    if (userId === by.userId && !register.mayLeave(status))
      blame(`The session ${text} is left as ${status}, unlike ${register}`);
  }
  for (const { id, status, description, workEntryId } of listed) {
    const ids = (booked.get(id) ?? []).map((entry) => entry.id);
    if (!isDeepStrictEqual(ids, status === 'stopped' ? [workEntryId] : []))
      blame(`The session ${description} has booked ${ids.length} entries`);
    if (!sessions.has(description)) blame(`The session ${description} comes from nowhere`);
  }
  if (listed.filter(({ status }) => status === 'running').length > 1) blame(`${by.userId} has several running timers`);
}
