import { setTimeout as sleep } from 'node:timers/promises';
import { monthOf } from '#shared/domain/date-range.ts';
import { withoutDeadLinks } from '#shared/domain/entry.ts';
import { Problem } from '#shared/domain/problems.ts';
import { batchGet } from './batch.ts';
import { parseEntry, writeEntries } from './entries.ts';
import { readCell } from './entry-list.ts';
import { type Cell, readLedger } from './ledger.ts';
import { readLinks } from './links.ts';
import { mapInParallel } from './parallel.ts';
import { unlinkProjectsFromClient } from './projects.ts';
import { entryKey, type Key, ledgerMonthKey } from './table.ts';
import { ConditionFailed } from './transaction.ts';
import type { Unlinking } from './unlinking.ts';

/**
 * Removes the links to a deleted project or client from everything that has one. Each step is one transaction that leaves entries, ledger and
 * totals in agreement, and what is still to be done is read from the ledger every time: so it may be stopped between any two
 * steps, for good or by a crash, and whoever goes on does the rest.
 *
 * A client's projects lose it first: a new entry that has the client from its project is written only as long as the project names it, and so
 * either before that, where the ledger shows it, or without the client.
 *
 * @param mayGoOn asked before each step; false once it has been false
 * @returns whether it got to the end; if not, it wants to be called again
 */
export async function removeLinks(deleted: Unlinking, mayGoOn: () => boolean): Promise<boolean> {
  if (deleted.kind === 'client') await unlinkProjectsFromClient(deleted.organizationId, deleted.id);
  let idlePasses = 0;
  while (idlePasses < MAX_IDLE_PASSES) {
    const pages = linkedPages(deleted, await readLedger(deleted.organizationId, {}));
    if (pages.length === 0) return true;
    const unlinked = await unlinkPages(deleted.organizationId, pages, mayGoOn);
    if (!mayGoOn()) return false;
    idlePasses = unlinked > 0 ? 0 : idlePasses + 1;
    if (unlinked === 0) await sleep(INDEX_DELAY_MILLISECONDS);
  }
  throw new Error('The index does not show the entries that the ledger counts.');
}

/** The ledger is read as it is; the index that finds a cell's entries follows the table with a delay, of milliseconds as a rule. */
const INDEX_DELAY_MILLISECONDS = 200;

/** After five seconds without any progress something is wrong, which must not go on for ever unseen. */
const MAX_IDLE_PASSES = 25;

/** The cells that have the link, in groups of those whose sums are on one month page of the ledger. */
function linkedPages({ kind, organizationId, id }: Unlinking, cells: readonly Cell[]): Cell[][] {
  const linked = cells.filter(({ dimensions }) => dimensions[kind === 'project' ? 'projectId' : 'clientId'] === id);
  const pages = Map.groupBy(
    linked,
    ({ date, dimensions }) => ledgerMonthKey(organizationId, monthOf(date), dimensions).sk,
  );
  return [...pages.values()];
}

/** What is read of one cell at a time: a month of 31 such days has room in the worker's memory. */
const CELL_DEPTH = 1_000;

/**
 * DynamoDB writes 100 items in one transaction; the two pages that the entries leave, the two that they come to, and which is still there of
 * their project and their client are five.
 */
const ENTRIES_PER_TRANSACTION = 95;

/** @returns how many entries it unlinked */
async function unlinkPages(organizationId: string, pages: readonly Cell[][], mayGoOn: () => boolean): Promise<number> {
  let unlinked = 0;
  for (const page of pages) {
    if (!mayGoOn()) break;
    unlinked += await unlinkPage(organizationId, page, mayGoOn);
  }
  return unlinked;
}

async function unlinkPage(organizationId: string, cells: readonly Cell[], mayGoOn: () => boolean): Promise<number> {
  const contents = await mapInParallel(cells, (cell) => readCell(organizationId, cell, { depth: CELL_DEPTH }));
  const items = contents.flatMap((content) => content.items);
  const keys = items.map((item) => entryKey(organizationId, parseEntry(item).id));
  let unlinked = 0;
  for (let start = 0; start < keys.length && mayGoOn(); start += ENTRIES_PER_TRANSACTION) {
    unlinked += await unlinkEntries(organizationId, keys.slice(start, start + ENTRIES_PER_TRANSACTION));
  }
  return unlinked;
}

/**
 * All dead links go at once: an entry that kept one, to what else was deleted, could not be written. The index may be behind, and
 * so the entries are read from the table itself.
 *
 * @returns how many entries it unlinked; none when somebody was faster, which the ledger will tell
 */
async function unlinkEntries(organizationId: string, keys: readonly Key[]): Promise<number> {
  const entries = (await batchGet(keys)).map(parseEntry);
  const links = await readLinks(organizationId, entries);
  const changes = entries
    .map((before) => ({ before, after: withoutDeadLinks(before, links) }))
    .filter(({ before, after }) => before.projectId !== after.projectId || before.clientId !== after.clientId);
  try {
    const goneProjects = changes
      .flatMap(({ before }) => before.projectId ?? [])
      .filter((id) => !links.projects.has(id));
    if (changes.length > 0) await writeEntries(organizationId, changes, { goneProjects });
    return changes.length;
  } catch (error) {
    if (isOvertaken(error)) return 0;
    throw error;
  }
}

/** An entry has changed, or something else that it is linked to was deleted, since they were read. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ConditionFailed || (error instanceof Problem && error.code === 'reference_not_found');
}
