import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { database } from '#shared/data/table/database.ts';
import { telling } from '#shared/work/events/telling.ts';
import { useLog } from '#test/support/log.ts';

const { written, recordLog } = useLog();

it('nobody is told, and nothing is left, where the organization is gone', async () => {
  recordLog();
  await telling(async () => {})({ organizationId: randomUUID() });
  expect(written).toEqual([]);
});

it('webhooks that cannot be told are left to the next run, whatever came of the work', async () => {
  recordLog();
  const work = { organizationId: 'home' };
  const left = /"webhooks are left to the next run".*"organizationId":"home".*"made for a test"/;
  const send = vi.spyOn(database, 'send').mockRejectedValue(new Error('made for a test'));
  await telling(async () => {})(work);
  expect(written).toEqual([expect.stringMatching(left)]);
  await expect(telling(() => Promise.reject(new Error('of the work')))(work)).rejects.toThrow('of the work');
  expect(written).toHaveLength(2);
  expect(send).toHaveBeenCalledTimes(2);
});
