import { expect, it } from 'vitest';
import { entryMetadataKey } from '#shared/data/layout/keys.ts';
import { declinedIdOf, entryWrites, parseEntry, searchTextOf } from '#shared/data/tracker/entry-items.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';

const ENTRY: Entry = {
  id: '019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  userId: '019aa2f4-7900-7b52-b1c6-0d9e8f7a6b5c',
  description: 'Design',
  entryDate: '2026-11-20',
  startedAt: '2026-11-20T09:00:00.000Z',
  endedAt: '2026-11-20T10:00:00.000Z',
  durationMinutes: 60,
  billedMinutes: 60,
  billable: true,
  rate: '120',
  currency: 'USD',
  source: 'remote_api',
  timerSessionId: null,
  clientId: null,
  clientLabel: 'Globex',
  projectId: null,
  tags: ['Design', 'Büro'],
  imported: {
    jobId: 'job',
    accountId: '4711',
    externalId: '1',
    content: 'digest',
    isEdited: false,
    userLabel: 'Ada Byron',
  },
  holdId: null,
  createdAt: '2026-11-20T10:00:01.000Z',
  updatedAt: '2026-11-20T10:00:02.000Z',
};

const itemOf = (entry: Entry) => entryWrites({ before: null, after: entry })[0]?.Put?.Item;

it('an entry is stored as its values in this order, which another layout alone may change', () => {
  expect(JSON.parse(itemOf(ENTRY)?.entry)).toEqual([
    ENTRY.id,
    ENTRY.userId,
    'Design',
    '2026-11-20',
    '2026-11-20T09:00:00.000Z',
    '2026-11-20T10:00:00.000Z',
    60,
    true,
    '120',
    'USD',
    'remote_api',
    null,
    null,
    'Globex',
    null,
    ['job', '4711', '1', 'digest', false, 'Ada Byron'],
    Date.parse('2026-11-20T10:00:01.000Z'),
    Date.parse('2026-11-20T10:00:02.000Z'),
    ['Design', 'Büro'],
  ]);
});

it('an entry takes no room for what it lacks of later additions', () => {
  expect(JSON.parse(itemOf({ ...ENTRY, tags: [] })?.entry)).toHaveLength(18);
});

it('an entry comes back as it was stored, and is no mark of a removed one', () => {
  const others = [
    { ...ENTRY, billedMinutes: 0 },
    { ...ENTRY, tags: [], billedMinutes: 75 },
  ];
  for (const entry of [ENTRY, { ...ENTRY, imported: null }, { ...ENTRY, tags: [] }, ...others]) {
    const item = itemOf(entry);
    expect(parseEntry(ENTRY.organizationId, item)).toEqual({ ...entry, version: item?.version });
    expect(declinedIdOf(item)).toBeUndefined();
  }
});

it('a search finds no text that begins in one member of an entry and ends in another', () => {
  const text = searchTextOf(ENTRY);
  for (const member of ['design', 'globex', 'ada byron']) expect(text).toContain(member);
  for (const across of ['designglobex', 'globexada']) expect(text).not.toContain(across);
});

it('an entry takes no room for the client that it lacks', () => {
  const onDay = (clientId: string | null) =>
    entryWrites({ before: null, after: { ...ENTRY, clientId } })[1]?.Put?.Item ?? {};
  expect(onDay(ENTRY.userId)).toHaveProperty('clientId', ENTRY.userId);
  expect(onDay(null)).not.toHaveProperty('clientId');
});

it('a change keeps what a newer version has put behind the values of an entry, and of its import', () => {
  const values = JSON.parse(itemOf({ ...ENTRY, billedMinutes: 75 })?.entry);
  const imported = values.findIndex(Array.isArray);
  const later = JSON.stringify([...values.with(imported, [...values[imported], 'of its import']), 'of the entry']);
  const before = parseEntry(ENTRY.organizationId, { entry: later, version: 1 });
  const [byId] = entryWrites({ before, after: before });
  expect(byId?.Update?.ExpressionAttributeValues).toMatchObject({ ':new_entry': later });
});

it('a change takes the hold off both items, unless the entry keeps it, and the mark of metadata that are gone', () => {
  const before = { ...ENTRY, version: 1, holdId: 'hold', hasMetadata: true };
  const { hasMetadata: _, ...plain } = before;
  const removed = (change: object) =>
    entryWrites({ before, after: before, ...change }).map(
      ({ Update }) => Update?.UpdateExpression?.match(/(?<=REMOVE ).*/)?.[0],
    );
  const each = (names: string | undefined) => [names, names];
  expect(removed({})).toEqual(each('#holdId'));
  expect(removed({ after: plain })).toEqual(each('#holdId, #hasMetadata'));
  expect(removed({ keepsHold: true })).toEqual(each(undefined));
  expect(removed({ keepsHold: true, after: plain })).toEqual(each('#hasMetadata'));
});

it('an entry goes with its metadata, and without looking for them where it has none', () => {
  const before = { ...ENTRY, version: 1 };
  const keyOfMetadata = entryMetadataKey(ENTRY.organizationId, ENTRY.id);
  const keys = (hasMetadata?: boolean) =>
    entryWrites({ before: { ...before, hasMetadata }, after: null }).map(({ Delete }) => Delete?.Key);
  expect(keys(true)).toEqual([undefined, keyOfMetadata, expect.anything()]);
  expect(keys()).toEqual([undefined, expect.anything()]);
});
