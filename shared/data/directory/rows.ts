import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import {
  directoryChangeKey,
  directoryChangesFrom,
  directoryPartition,
  directoryRows,
  directoryRowsKey,
} from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { ConditionFailed, transact, type Write } from '#shared/data/table/transaction.ts';
import { EXISTS, IS_NEW, put, remove, update } from '#shared/data/table/writes.ts';
import { overloaded } from '#shared/domain/problems.ts';
import { backOff } from '#shared/runtime/backoff.ts';

/**
 * The directory in the table: a lean row for each project and client, packed by the last digits of their ids, and a
 * list of the last changes. Each change has a version of its own, one more than the change before. It is written in the
 * transaction that changes the project or client.
 *
 * The writer of a change has read the change before. So a reader that finds a change can find all changes before it,
 * although DynamoDB may show parts of a transaction early.
 */

const projectRow = v.object({
  name: v.string(),
  clientId: v.nullable(v.string()),
  defaultRate: v.nullable(v.string()),
  currency: v.string(),
  billable: v.boolean(),
});

export type ProjectRow = v.InferOutput<typeof projectRow>;

/** A client is its name. */
const row = v.union([v.string(), projectRow]);

type Row = v.InferOutput<typeof row>;

export const toProjectRow = (project: ProjectRow): ProjectRow => v.parse(projectRow, project);

/** A project or client as it is from now on. A deleted one has no row. */
export interface Present {
  readonly id: string;
  readonly row?: Row;
}

const change = v.object({ id: v.string(), row: v.optional(row), version: v.number() });

export type Change = v.InferOutput<typeof change>;

const packedRows = v.record(v.string(), row);

export async function readRows(organizationId: string): Promise<Present[]> {
  const partition = directoryPartition(organizationId);
  const items = await readCollection({ partition, between: directoryRows });
  return items.flatMap(({ pk: _pk, sk: _sk, ...packed }) =>
    Object.entries(v.parse(packedRows, packed)).map(([id, packedRow]) => ({ id, row: packedRow })),
  );
}

/** The changes from a version on, in their order. The first of them is another one if that version is not kept. */
export async function readChanges(organizationId: string, version: number): Promise<Change[]> {
  const partition = directoryPartition(organizationId);
  const between = directoryChangesFrom(version);
  return v.parse(v.array(change), await readCollection({ partition, between, direction: 'asc' }));
}

/** The version of the last change; 0 before the first one. */
export async function readVersion(organizationId: string): Promise<number> {
  const partition = directoryPartition(organizationId);
  const [last] = await readCollection({ partition, between: directoryChangesFrom(0), upTo: 1 });
  return last ? v.parse(change, last).version : 0;
}

/**
 * As many changes as a function can miss without reading the whole directory again. A greater number is another layout:
 * a change replaces the oldest one, which must be there.
 */
export const KEPT_CHANGES = 500;

const PATIENCE_MILLISECONDS = 9_000;

/** A row is undefined before there is a project or client, and after it is deleted. */
export interface RowChange {
  readonly id: string;
  readonly before?: Row;
  readonly after?: Row;
}

/**
 * Writes what changes a project or client, with the change of the directory. If the row stays the same, the directory
 * does too. Starts again if another change takes the version.
 *
 * @throws ConditionFailed, or a refusal, when a condition of `items` does not hold
 * @throws Problem `temporarily_unavailable` when others are faster for too long
 */
export async function transactChange(
  organizationId: string,
  items: readonly Write[],
  { id, before, after }: RowChange,
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return transact(items);
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt++) {
    const version = (await readVersion(organizationId)) + 1;
    try {
      return await transact([...items, ...changeWrites(organizationId, { id, row: after, version })]);
    } catch (error) {
      const isOvertaken = error instanceof ConditionFailed && error.positions.some((at) => at >= items.length);
      if (!isOvertaken) throw error;
    }
    if (performance.now() - startedAt > PATIENCE_MILLISECONDS) throw overloaded();
    await backOff(attempt);
  }
}

function changeWrites(organizationId: string, made: Change): Write[] {
  const oldest = directoryChangeKey(organizationId, made.version - KEPT_CHANGES);
  return [
    rowUpdate(organizationId, made),
    put({ ...directoryChangeKey(organizationId, made.version), ...made }, IS_NEW),
    ...(made.version > KEPT_CHANGES ? [remove(oldest, EXISTS)] : []),
  ];
}

function rowUpdate(organizationId: string, { id, row: packed }: Present): Write {
  const names = { ExpressionAttributeNames: { '#id': id } };
  const change =
    packed === undefined
      ? { UpdateExpression: 'REMOVE #id', ...names }
      : { UpdateExpression: 'SET #id = :row', ...names, ExpressionAttributeValues: { ':row': packed } };
  return update(directoryRowsKey(organizationId, id), change);
}
