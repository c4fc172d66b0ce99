import { expect, it, vi } from 'vitest';
import { database } from '#shared/data/table/database.ts';
import { isTableWell } from '#shared/data/table/probe.ts';
import { useLog } from '#test/support/log.ts';

const { written, recordLog } = useLog();

it('the table is asked again after five seconds, and not a millisecond before, and a failure is logged', async () => {
  recordLog();
  vi.useFakeTimers({ toFake: ['Date'] });
  // Behind what other tests of this process have asked.
  let now = Date.now() + 60_000;
  const send = vi.spyOn(database, 'send').mockRejectedValueOnce(new Error('made for a test'));
  const asked: [boolean, number][] = [];
  for (const later of [0, 4_999, 1, 4_999, 1]) {
    now += later;
    vi.setSystemTime(now);
    asked.push([await isTableWell(), send.mock.calls.length]);
  }
  expect(asked).toEqual([
    [false, 1],
    [false, 1],
    [true, 2],
    [true, 2],
    [true, 3],
  ]);
  expect(written).toEqual([expect.stringMatching(/"the table does not answer".*"made for a test"/)]);
});
