import * as v from 'valibot';
import { importUnitKey, importUnitPartition } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { IS_ABSENT, put } from '#shared/data/table/writes.ts';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';

const mark = v.object({ unit: v.number(), entryIds: v.array(v.string()) });

/** In any order. */
export async function readDoneUnits({ organizationId, id }: ImportJob): Promise<v.InferOutput<typeof mark>[]> {
  const items = await readCollection({ partition: importUnitPartition(organizationId, id) });
  return items.map((item) => v.parse(mark, item));
}

export function markPut({ organizationId, id }: ImportJob, unit: number, entryIds: readonly string[]): TransactItem {
  return put({ ...importUnitKey(organizationId, id, unit), unit, entryIds }, v.parser(mark), IS_ABSENT);
}
