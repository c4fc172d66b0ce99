import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

const ENTRIES = '/v1/work/tracker/entries';
const TIMER = '/v1/work/tracker/timer';
const CONFIRM = '/v1/work/tracker/remote/sync/confirm';
const PREVIEW = '/v1/work/tracker/remote/sync/preview';

let ana: User;

beforeAll(async () => {
  ana = await given.user();
  await given.connection(ana);
});

describe('the tags of an entry', () => {
  it('are trimmed, equal ones are one, and a change replaces them', async () => {
    const entry = await given.entry(ana, { tags: [' Design ', 'Büro', 'DESIGN', 'x, y', 'bÜRO'] });
    expect(entry.tags).toEqual(['Design', 'Büro', 'x, y']);
    const patch = async (tags: unknown) => (await ana.patch(`${ENTRIES}/${entry.id}`, { tags })).body.data;
    const after = await presentEnd(ana);
    expect(await patch(['Design', 'Büro', 'x, y', 'BÜRO'])).toEqual(entry);
    expect(await happenedSince(ana, after)).toEqual([]);
    expect((await patch(['next'])).tags).toEqual(['next']);
    expect((await ana.patch(`${ENTRIES}/${entry.id}`, { description: 'Other' })).body.data.tags).toEqual(['next']);
    expect(await patch([])).toMatchObject({ tags: [], description: 'Other' });
    expect((await ana.get(`${ENTRIES}/${entry.id}`)).body.data.tags).toEqual([]);
  });
});

it('a timer takes tags at its start and while it runs, and its stop copies them to the entry', async () => {
  const ben = await given.user();
  const timer = await given.timer(ben, { tags: ['Design', 'design'] });
  expect(timer.tags).toEqual(['Design']);
  const tagsAfter = async (values: Json) => (await ben.patch(`${TIMER}/${timer.id}`, values)).body.data.tags;
  expect(await tagsAfter({ description: 'Work' })).toEqual(['Design']);
  expect(await tagsAfter({ tags: ['b', 'a', 'B'] })).toEqual(['b', 'a']);
  const { session, workEntry } = (await ben.post(`${TIMER}/${timer.id}/stop`)).body.data;
  expect([session.tags, workEntry.tags]).toEqual([
    ['b', 'a'],
    ['b', 'a'],
  ]);
});

describe('entries by tag', () => {
  let cleo: User;

  beforeAll(async () => {
    cleo = await given.user();
    const entries = [
      ['a', ['Design', 'Büro']],
      ['b', ['design', 'x, y']],
      ['c', ['Designer', 'x', 'y']],
      ['d', []],
    ] as const;
    for (const [index, [description, tags]] of entries.entries()) {
      await given.entry(cleo, { description, tags, entryDate: `2026-11-0${index + 1}` });
    }
  });

  it.each([
    ['tag=DESIGN', 'ba'],
    ['tag=%20design%20', 'ba'],
    ['tag=B%C3%9CRO&tag=Design', 'a'],
    ['tag=x%2C%20y', 'b'],
    ['tag=x,+y', 'b'],
    ['tag=x&tag=y', 'c'],
    ['tag=x,y', ''],
    ['tag=design&dateTo=2026-11-01', 'a'],
    ['tag=design&q=b', 'b'],
    ['tag=design&billingStatus=unbilled&billable=true', 'ba'],
    ['tag=design&billingStatus=invoiced', ''],
  ])('?%s finds "%s"', async (query, expected) => {
    const { data, meta } = (await cleo.get(`${ENTRIES}?${query}`)).body;
    expect(data.map(({ description }: Json) => description).join('')).toBe(expected);
    expect(meta.total).toBe(expected.length);
  });

  it.each([
    ['tag=', 'tag.0', 'length'],
    ['tag=%20', 'tag.0', 'blank'],
    [`tag=a&tag=${'x'.repeat(51)}`, 'tag.1', 'length'],
    ['tag=x&'.repeat(11).slice(0, -1), 'tag', 'length'],
  ])('?%s is a 422', async (query, path, code) => {
    const { status, body } = await cleo.get(`${ENTRIES}?${query}`);
    expect(status).toBe(422);
    expect(body.errors).toContainEqual({ path, message: expect.any(String), code });
  });

  it('stand in a file with their tags', async () => {
    const reply = await cleo.send('GET', ENTRIES, { query: { tag: 'x' }, headers: { accept: 'text/csv' } });
    const [columns = '', row = ''] = reply.body.split('\r\n');
    expect(columns.split(',')).toContain('tags');
    expect(row).toContain('"Designer, x, y"');
  });
});

it('a row has the task of the provider as its tag, which its entry takes, and which comes again with a change', async () => {
  const eve = await given.user();
  const account = await given.connection(eve, { entries: [{ id: 1, task: ` ${'Planning, '.repeat(6)}` }] });
  const preview = async () => (await eve.post(PREVIEW, { dateFrom: '2026-01-01' })).body.data.rows;
  const tagOf = 'Planning, '.repeat(5).trim();
  const rows = await preview();
  expect(rows).toMatchObject([{ tags: [tagOf], status: 'new' }]);
  await eve.post(CONFIRM, { rows });
  const { body } = await eve.get(ENTRIES, { tag: tagOf });
  expect(body.data).toMatchObject([{ tags: [tagOf], source: 'remote_api' }]);
  expect(await preview()).toMatchObject([{ status: 'duplicate' }]);
  await account.change({ entries: [{ id: 1, task: 'Review' }] });
  const changed = await preview();
  expect(changed).toMatchObject([{ tags: ['Review'], status: 'changed' }]);
  await eve.post(CONFIRM, { rows: changed, updateChanged: true });
  expect((await eve.get(ENTRIES)).body.data).toMatchObject([{ tags: ['Review'] }]);
});
