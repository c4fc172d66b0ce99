import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import {
  directoryChangesAfter,
  directoryChangesKey,
  directoryPartition,
  directoryRows,
  directoryRowsKey,
  lastDirectoryChangesKey,
} from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readItem } from '#shared/data/table/item.ts';
import { timeRounding } from '#shared/data/table/members.ts';
import { ConditionFailed, type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { put, update } from '#shared/data/table/writes.ts';
import type { ProjectFields } from '#shared/domain/tracker/project.ts';

/**
 * The directory in the table: lean rows, and a list of their changes, whose number is the version of the directory.
 *
 * The list ends in one item. To append needs no condition, so changes at the same moment only wait for each other. Only
 * its `newer` half grows. When that is long, `changes` move to an item of their own, and `newer` takes their place.
 */

const projectRow = v.object({
  name: v.string(),
  clientId: v.nullable(v.string()),
  defaultRate: v.nullable(v.string()),
  currency: v.string(),
  billable: v.boolean(),
  /** They lie with the project alone: many of them would make the row long. */
  hasUserRates: v.optional(v.literal(true)),
  rounding: v.optional(timeRounding),
});

export type ProjectRow = v.InferOutput<typeof projectRow>;

const userRow = v.object({ userName: v.string(), isActive: v.boolean() });

/** The organization's own row. */
const organizationRow = v.object({ lockedThrough: v.nullable(v.string()), rounding: v.nullable(timeRounding) });

type OrganizationRow = v.InferOutput<typeof organizationRow>;

/** A client is its name. */
const row = v.union([v.string(), projectRow, userRow, organizationRow]);

type Row = v.InferOutput<typeof row>;

export function toProjectRow({ userRates, rounding, ...project }: ProjectFields): ProjectRow {
  const rates = userRates.length === 0 ? {} : { hasUserRates: true };
  return v.parse(projectRow, { ...project, ...rates, ...(rounding && { rounding }) });
}

export const toOrganizationRow = (organization: OrganizationRow): OrganizationRow =>
  v.parse(organizationRow, organization);

/** A row of a kind that only a newer version knows reads as none. */
const readRow = v.fallback(v.optional(row), undefined);

const change = v.object({ id: v.string(), row: readRow });

export type Change = v.InferOutput<typeof change>;

const packedRows = v.record(v.string(), readRow);

export async function readRows(organizationId: string): Promise<Change[]> {
  const partition = directoryPartition(organizationId);
  const items = await readCollection({ partition, between: directoryRows });
  return items.flatMap(({ pk: _pk, sk: _sk, ...packed }) =>
    Object.entries(v.parse(packedRows, packed)).map(([id, packedRow]) => ({ id, row: packedRow })),
  );
}

/** Changes move as they are, with what only a newer version knows. */
const part = v.object({
  earlier: v.number(),
  /** They never change again. */
  changes: v.array(v.unknown()),
  newer: v.optional(v.array(v.unknown()), []),
});

type Part = v.InferOutput<typeof part>;

const NO_CHANGES: Part = { earlier: 0, changes: [], newer: [] };

async function readLastPart(organizationId: string): Promise<Part> {
  return v.parse(part, (await readItem(lastDirectoryChangesKey(organizationId))) ?? NO_CHANGES);
}

const versionOf = ({ earlier, changes, newer }: Part): number => earlier + changes.length + newer.length;

export async function readVersion(organizationId: string): Promise<number> {
  return versionOf(await readLastPart(organizationId));
}

interface Changes<Read = Change> {
  /** The version before the first of them. */
  readonly since: number;
  readonly changes: readonly Read[];
}

/** To read all rows costs less than to read more parts. */
const MAX_PARTS = 128;

/** All changes since a version, or since a later one if the table does not keep them all. */
export async function readChanges(organizationId: string, version: number): Promise<Changes> {
  const partition = directoryPartition(organizationId);
  const between = directoryChangesAfter(version);
  const parts = v.parse(v.array(part), await readCollection({ partition, between, upTo: MAX_PARTS }));
  const { since, changes } = parts.reverse().reduce(continued, { since: version, changes: [] });
  return { since, changes: v.parse(v.array(change), changes) };
}

/** A change may have moved while the parts were read, and then comes twice. */
function continued({ since, changes }: Changes<unknown>, { earlier, ...next }: Part): Changes<unknown> {
  const known = since + changes.length;
  const all = [...next.changes, ...next.newer];
  return earlier > known
    ? { since: earlier, changes: all }
    : { since, changes: [...changes, ...all.slice(known - earlier)] };
}

export interface RowChange {
  readonly id: string;
  readonly before?: Row;
  readonly after?: Row;
}

/** Newer changes that let the older ones move. An append takes one write unit with so many of both. */
const LONG = 3;

/** Beside the items that are given. */
export const MAX_ITEMS_OF_A_CHANGE = 3;

/** @param longestPause as of `transact` */
export async function transactWithDirectory(
  organizationId: string,
  items: readonly Write[],
  { id, before, after }: RowChange,
  longestPause?: number,
): Promise<void> {
  const write = (all: readonly Write[]) => transact(all, undefined, longestPause);
  if (isDeepStrictEqual(before, after)) return write(items);
  const made: Change = { id, row: after };
  const writes = [...items, rowUpdate(organizationId, made)];
  const last = await readLastPart(organizationId);
  if (last.newer.length >= LONG) {
    try {
      return await write([...writes, ...moving(organizationId, last, made)]);
    } catch (error) {
      const hasMoved = error instanceof ConditionFailed && error.failedAt(writes.length);
      if (!hasMoved) throw error;
    }
  }
  await write([...writes, appending(organizationId, made)]);
}

function rowUpdate(organizationId: string, { id, row: packed }: Change): TransactItem {
  const names = { ExpressionAttributeNames: { '#id': id } };
  const change =
    packed === undefined
      ? { UpdateExpression: 'REMOVE #id', ...names }
      : { UpdateExpression: 'SET #id = :row', ...names, ExpressionAttributeValues: { ':row': packed } };
  return update(directoryRowsKey(organizationId, id), change);
}

function appending(organizationId: string, made: Change): TransactItem {
  const sets = [
    'newer = list_append(if_not_exists(newer, :none), :made)',
    'changes = if_not_exists(changes, :none)',
    'earlier = if_not_exists(earlier, :zero)',
  ];
  return update(lastDirectoryChangesKey(organizationId), {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ExpressionAttributeValues: { ':none': [], ':made': [made], ':zero': 0 },
  });
}

/** A function that has not looked for longer may have to read all rows again. */
const KEPT_SECONDS = 3_600;

/** The first write fails if somebody else has moved them. */
function moving(organizationId: string, { earlier, changes }: Part, made: Change): TransactItem[] {
  const version = earlier + changes.length;
  const expiresAtEpochSeconds = Math.ceil(Date.now() / 1_000) + KEPT_SECONDS;
  return [
    update(lastDirectoryChangesKey(organizationId), {
      UpdateExpression: 'SET earlier = :version, changes = newer, newer = :made',
      ConditionExpression: 'earlier = :earlier AND size(changes) = :count',
      ExpressionAttributeValues: {
        ':version': version,
        ':made': [made],
        ':earlier': earlier,
        ':count': changes.length,
      },
    }),
    put({ ...directoryChangesKey(organizationId, version), earlier, changes, expiresAtEpochSeconds }, v.parser(part)),
  ];
}
