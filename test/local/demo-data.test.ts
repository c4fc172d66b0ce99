import { expect, inject, it } from 'vitest';
import { addDemoData } from '#scripts/demo/demo-data.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const NOW = new Date('2026-11-23T12:00:00Z');

async function studio() {
  const owner = await given.user();
  const demo = {
    organizationName: owner.organization.name,
    userName: 'Demo',
    keyFor: async (name: string) => (await given.user({ organization: owner.organization, name })).apiKey,
  };
  return { owner, add: () => addDemoData(inject('baseUrl'), demo, NOW) };
}

async function workOf(owner: User): Promise<Json[]> {
  const pages = [0, 100].map((offset) => owner.get('/v1/work/tracker/entries', { limit: 100, offset }));
  return (await Promise.all(pages)).flatMap(({ body }) => body.data);
}

it('makes a month of three people, the same whenever it is asked for, and once', { timeout: 60_000 }, async () => {
  const [one, other] = await Promise.all([studio(), studio()]);
  expect(await Promise.all([one.add(), other.add()])).toEqual([true, true]);

  const work = await workOf(one.owner);
  expect(new Set(work.map(({ userId }) => userId)).size).toBe(3);
  expect(work.length).toBeGreaterThan(100);
  const told = (entries: Json[]) =>
    entries
      .map(({ entryDate, description, durationMinutes, amount, projectName, clientLabel }) =>
        [entryDate, description, durationMinutes, amount, projectName, clientLabel].join(' '),
      )
      .sort();
  expect(told(await workOf(other.owner))).toEqual(told(work));
  expect(new Set(work.map(({ billingStatus }) => billingStatus))).toEqual(
    new Set(['unbilled', 'invoiced', 'non_billable']),
  );

  const { data: invoices } = (await one.owner.get('/invoices')).body;
  expect(invoices.map(({ status }: Json) => status)).toEqual(['draft', 'sent', 'paid']);
  expect(invoices.map(({ currency }: Json) => currency)).toEqual(['JPY', 'EUR', 'USD']);

  expect(await one.add()).toBe(false);
  expect((await one.owner.get('/clients')).body.meta.total).toBe(3);
});
