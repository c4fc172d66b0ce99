import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { QUIET_SECONDS } from '#shared/domain/organization/deletion.ts';
import { itemsOf } from '#test/support/deletions.ts';
import { giveEverything } from '#test/support/everything.ts';
import { eventually } from '#test/support/fixture-app/cloud.ts';
import { given, type User } from '#test/support/given.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

const own = useOwnCloud();

const ENTRY = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20' };

/** All kinds of writes, until the key is refused. @returns how many were answered before */
async function callUntilRefused(by: User): Promise<number> {
  const headers = { 'idempotency-key': randomUUID() };
  const calls = [
    () => by.post('/v1/work/tracker/entries', ENTRY),
    () => by.send('POST', '/clients', { body: { name: 'Northwind' }, headers }),
    () => by.post('/v1/work/tracker/timer/start'),
    () => by.post('/products', { name: 'Consulting', price: '1' }),
    () => by.post('/v1/api-keys', { name: 'Another', scopes: ['products:read'] }),
    () => by.patch('/v1/organization', { name: `Organization ${randomUUID()}` }),
  ];
  let answered = 0;
  const refused = new Set<() => unknown>();
  while (refused.size < calls.length) {
    for (const call of calls) {
      if ((await call()).status === 401) refused.add(call);
      else answered += 1;
    }
  }
  return answered;
}

it('an organization is removed while its users go on calling', { timeout: 120_000 }, async () => {
  const platform = await given.platform();
  const [ana, eve] = [await given.user(), await given.user()];
  await giveEverything(ana);
  const bea = await given.user({ organization: ana.organization });
  const path = `/v1/organizations/${ana.organization.id}`;
  const calling = [ana, bea].map(callUntilRefused);
  expect((await platform.delete(path)).status).toBe(202);
  await Promise.all(calling);
  expect((await platform.get(path)).body.data.status).toBe('deleting');
  await own.cloud.fireSchedule('deletion-scheduler', new Date(Date.now() + (QUIET_SECONDS + 1) * 1_000));
  expect(await eventually(async () => ((await platform.get(path)).status === 404 ? 'gone' : undefined))).toBe('gone');
  expect((await itemsOf(ana)).own).toEqual([]);
  expect((await eve.get('/v1/me')).status).toBe(200);
});
