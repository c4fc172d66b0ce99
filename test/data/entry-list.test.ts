import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import { handler as listEntries } from '#functions/tracker/list-entries.ts';
import { database, TABLE_NAME } from '#shared/data/client.ts';
import { type StoredEntry, writeEntries } from '#shared/data/entries.ts';
import { projectKey } from '#shared/data/table.ts';
import { bookEntries, storedEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

const LIMIT = 20;

afterEach(() => vi.restoreAllMocks());

const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

/** Lets something happen between the reading of the ledger and that of the first cell. */
function beforeFirstCell(happen: () => Promise<void>): void {
  const send = database.send.bind(database);
  let isPending = true;
  vi.spyOn(database, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
    if (isPending && command instanceof QueryCommand && command.input.IndexName === 'byCell') {
      isPending = false;
      await happen();
    }
    return send(command);
  });
}

/** As the worker does it that removes the links to a deleted project. */
async function unlink(by: User, entries: readonly StoredEntry[]): Promise<void> {
  const changes = entries.map((before) => ({ before, after: { ...before, projectId: null } }));
  const gone = entries.flatMap(({ projectId }) => projectId ?? []);
  await writeEntries(by.organization.id, changes, [], gone);
}

it('shows the entries that a worker moves, while only a part of their day is read, to where none was before', async () => {
  const ana = await given.user();
  const project = await given.project(ana);
  const ids = await bookEntries(ana, project, 300, ['2026-11-20']);
  const list = (offset: number) => invoke(listEntries, ana, { query: { limit: `${LIMIT}`, offset: `${offset}` } });
  const pages = [idsOf(await list(0)), idsOf(await list(LIMIT))];
  const stored = await storedEntries(ana, ids);
  const Key = projectKey(ana.organization.id, project.id);
  await database.send(new DeleteCommand({ TableName: TABLE_NAME, Key }));
  for (const [position, page] of pages.entries()) {
    beforeFirstCell(() =>
      unlink(
        ana,
        page.map((id) => stored.get(id)).filter((entry) => entry !== undefined),
      ),
    );
    expect(idsOf(await list(position * LIMIT))).toEqual(page);
    vi.restoreAllMocks();
  }
});

it('takes a round trip more only where the page has cells of what is deleted', async () => {
  const ana = await given.user();
  const project = await given.project(ana);
  await bookEntries(ana, project, 300, ['2026-11-20']);
  const list = () => invoke(listEntries, ana, { query: { limit: `${LIMIT}` } });
  expect((await costOf(list)).roundTrips).toBe(3);
  await database.send(new DeleteCommand({ TableName: TABLE_NAME, Key: projectKey(ana.organization.id, project.id) }));
  expect((await costOf(list)).roundTrips).toBe(4);
});
