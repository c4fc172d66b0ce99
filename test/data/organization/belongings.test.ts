import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { calendarPartition, dayPartition, entryKey, entryMetadataKey } from '#shared/data/layout/keys.ts';
import { belongingsOf } from '#shared/data/organization/belongings.ts';

it('a month leads to its days, and a row of a day to its entry, and to metadata only where it says so', () => {
  const [organizationId, id] = [randomUUID(), randomUUID()];
  const partition = calendarPartition(organizationId);
  const calendar = belongingsOf(organizationId).find((each) => each.partition === partition);
  const month = { pk: partition, sk: '2026-11~2', e: 3, e05: 0, e20: 3 };
  const { partitions: days = [] } = calendar?.leadsTo?.(month) ?? {};
  expect(days.map((day) => day.partition)).toEqual(
    ['2026-11-05', '2026-11-20'].map((date) => dayPartition(organizationId, date)),
  );
  const row = { sk: `-#-##2026-11-20T10:00:00.000Z#${id}` };
  const [entry, metadata] = [entryKey(organizationId, id), entryMetadataKey(organizationId, id)];
  expect(days[0]?.leadsTo?.(row)).toEqual({ keys: [entry] });
  expect(days[0]?.leadsTo?.({ ...row, hasMetadata: true })).toEqual({ keys: [entry, metadata] });
});
