import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listEntries } from '#shared/contract/entries.ts';
import { database, TABLE_NAME } from '#shared/data/client.ts';
import { type StoredEntry, writeEntries } from '#shared/data/entries.ts';
import { clientKey, projectKey } from '#shared/data/table.ts';
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

/** As the worker does it that removes the links to what is deleted. */
async function unlink(by: User, entries: readonly StoredEntry[], link: Link): Promise<void> {
  const changes = entries.map((before) => ({ before, after: { ...before, [link]: null } }));
  const gone = link === 'projectId' ? entries.flatMap(({ projectId }) => projectId ?? []) : [];
  await writeEntries(by.organization.id, changes, [], gone);
}

type Link = 'projectId' | 'clientId';

const KEYS = { projectId: projectKey, clientId: clientKey };

/** A day of entries with both links, and how to take away what one of them leads to, so that no worker notices. */
async function scene(link: Link) {
  const ana = await given.user();
  const { id: clientId } = await given.client(ana);
  const project = await given.project(ana, { clientId });
  const ids = await bookEntries(ana, project, 300, ['2026-11-20']);
  const Key = KEYS[link](ana.organization.id, link === 'projectId' ? project.id : clientId);
  const list = (offset = 0) => invoke(listEntries, ana, { query: { limit: `${LIMIT}`, offset: `${offset}` } });
  return { ana, ids, list, takeAway: () => database.send(new DeleteCommand({ TableName: TABLE_NAME, Key })) };
}

describe.each(['projectId', 'clientId'] as const)('a list of entries whose %s leads to nothing', (link) => {
  it('has those that a worker moves, while a part of their day is read, to where none was before', async () => {
    const { ana, ids, list, takeAway } = await scene(link);
    const pages = [idsOf(await list(0)), idsOf(await list(LIMIT))];
    const stored = await storedEntries(ana, ids);
    await takeAway();
    for (const [position, page] of pages.entries()) {
      const moved = page.map((id) => stored.get(id)).filter((entry) => entry !== undefined);
      beforeFirstCell(() => unlink(ana, moved, link));
      expect(idsOf(await list(position * LIMIT))).toEqual(page);
      vi.restoreAllMocks();
    }
  });

  it('takes a round trip more than others to ask the ledger again, and one for the name of a client', async () => {
    const { list, takeAway } = await scene(link);
    expect((await costOf(list)).roundTrips).toBe(3);
    await takeAway();
    expect((await costOf(list)).roundTrips).toBe(link === 'projectId' ? 4 : 5);
  });
});
