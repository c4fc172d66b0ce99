import { expect, it } from 'vitest';
import { countKey, projectKey, shardOf } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { readProjects } from '#shared/data/tracker/projects.ts';
import { given } from '#test/support/given.ts';
import { putItems } from '#test/support/table-scan.ts';

it('a project takes no room for the rates of users and the rounding that it lacks', async () => {
  const ana = await given.user();
  const { id } = await given.project(ana);
  const item = await readItem(projectKey(ana.organization.id, id));
  expect(item).toHaveProperty('id', id);
  for (const name of ['userRates', 'rounding']) expect(item).not.toHaveProperty(name);
});

it('the last of more than a hundred projects are found by their offset, with what lies beside them', async () => {
  const ana = await given.user();
  const organizationId = ana.organization.id;
  const { id } = await given.project(ana);
  const project = await readItem(projectKey(organizationId, id));
  const older = Array.from({ length: 101 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`);
  const [oldest = '', second] = older;
  const shard = { ...shardOf(projectKey(organizationId, oldest), 1), totalMinutes: 7 };
  await putItems([...older.map((each) => ({ ...project, ...projectKey(organizationId, each), id: each })), shard]);
  await transact([increase(countKey(organizationId, 'PROJECT'), { all: older.length })]);
  const { items, total } = await readProjects({ organizationId, limit: 2, offset: 100 });
  expect(items.map(({ totals, ...shown }) => [shown.id, totals.totalMinutes])).toEqual([
    [second, 0],
    [oldest, 7],
  ]);
  expect(total).toBe(102);
});
