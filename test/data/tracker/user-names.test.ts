import { expect, it } from 'vitest';
import { removeUser, renameUser } from '#test/support/directories.ts';
import { given, type User } from '#test/support/given.ts';

const ENTRIES = '/v1/work/tracker/entries';
const DAY = { dateFrom: '2026-11-20', dateTo: '2026-11-20' };

/** All answers that show the entries of a user, as this key gets them. */
async function shownNames(by: User, of: User, entryId: string): Promise<unknown[]> {
  const [entry, page, found, grouped, csv] = await Promise.all([
    by.get(`${ENTRIES}/${entryId}`),
    by.get(ENTRIES, { userId: of.userId }),
    by.get(ENTRIES, { userId: of.userId, q: 'plan' }),
    by.get(`${ENTRIES}/summary`, { ...DAY, groupBy: 'user' }),
    by.send('GET', ENTRIES, { query: { userId: of.userId }, headers: { accept: 'text/csv' } }),
  ]);
  const [heads = '', row = ''] = csv.body.split('\r\n');
  const changed = await by.patch(`${ENTRIES}/${entryId}`, { billable: true });
  return [
    entry.body.data.userName,
    page.body.data[0].userName,
    found.body.data[0].userName,
    grouped.body.data.groups.find(({ key }: { key: { userId: string } }) => key.userId === of.userId).key.userName,
    row.split(',')[heads.split(',').indexOf('userName')],
    changed.body.data.userName,
  ];
}

it('the name of a user is the present one wherever its entries are shown, also after its removal', async () => {
  const ana = await given.user({ name: 'Ana' });
  const ben = await given.user({ organization: ana.organization, name: 'Ben' });
  const { id } = await given.entry(ben, { description: 'Planning' });
  expect(await shownNames(ana, ben, id)).toEqual(Array(6).fill('Ben'));
  await renameUser(ana.organization.id, ben.userId, 'Benedikt');
  expect(await shownNames(ana, ben, id)).toEqual(Array(6).fill('Benedikt'));
  await removeUser(ana.organization.id, ben.userId);
  expect(await shownNames(ana, ben, id)).toEqual(Array(6).fill('Benedikt'));
});

it('the tag of an entry changes with the name of its user', async () => {
  const ana = await given.user({ name: 'Ana' });
  const { id } = await given.entry(ana);
  const tag = async () => (await ana.get(`${ENTRIES}/${id}`)).headers.get('etag');
  const before = await tag();
  expect(await tag()).toBe(before);
  await renameUser(ana.organization.id, ana.userId, 'Anna');
  expect(await tag()).not.toBe(before);
});

it('a stopped timer shows its user in the entry that it books, and to who stops it again', async () => {
  const ana = await given.user({ name: 'Ana' });
  const { id } = await given.timer(ana);
  const stop = () => ana.post(`/v1/work/tracker/timer/${id}/stop`);
  expect((await stop()).body.data.workEntry.userName).toBe('Ana');
  expect((await stop()).body.workEntry.userName).toBe('Ana');
});
