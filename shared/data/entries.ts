import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { amountMinorOf, ENTRY_SOURCES, type Entry } from '#shared/domain/entry.ts';
import { notFound, referenceNotFound } from '#shared/domain/problems.ts';
import { fold } from '#shared/domain/text.ts';
import { database, TABLE_NAME } from './client.ts';
import { type Condition, type EntryChange, ledgerUpdates, sumsUpdate } from './ledger.ts';
import { cellPartition, cellSort, clientKey, entryKey, type Key, projectKey } from './table.ts';
import { ConditionFailed, type TransactItem, transact } from './transaction.ts';
import { unchangedSince } from './versioned.ts';

/**
 * Entries. Every write is one transaction of the entries, the ledger pages and project totals that they change, and the condition that
 * what they are linked to exists: no crash can leave a sum that differs from a recount, and no link can be made to what is
 * deleted at the same moment. For the client of a project it may be enough that the project still names it.
 */

const importOrigin = v.object({
  jobId: v.string(),
  accountId: v.string(),
  externalId: v.nullable(v.string()),
  content: v.string(),
  isEdited: v.boolean(),
});

const stored = v.object({
  id: v.string(),
  organizationId: v.string(),
  userId: v.string(),
  description: v.string(),
  entryDate: v.string(),
  startedAt: v.nullable(v.string()),
  endedAt: v.nullable(v.string()),
  durationMinutes: v.number(),
  billable: v.boolean(),
  rate: v.nullable(v.string()),
  currency: v.string(),
  source: v.picklist(ENTRY_SOURCES),
  timerSessionId: v.nullable(v.string()),
  clientId: v.nullable(v.string()),
  clientLabel: v.nullable(v.string()),
  projectId: v.nullable(v.string()),
  invoiceId: v.nullable(v.string()),
  imported: v.optional(v.nullable(importOrigin), null),
  /** Entries that were written before there were invoices have none. */
  claimId: v.optional(v.nullable(v.string()), null),
  createdAt: v.string(),
  updatedAt: v.string(),
  version: v.number(),
});

/** An entry as it lies in the table: a link may be to what has been deleted and is still to be unlinked. */
export type StoredEntry = Entry & { readonly version: number };

export function parseEntry(item: unknown): StoredEntry {
  return v.parse(stored, item);
}

/** @throws Problem `not_found` */
export async function getEntry(organizationId: string, id: string): Promise<StoredEntry> {
  const key = entryKey(organizationId, id);
  const { Item } = await database.send(new GetCommand({ TableName: TABLE_NAME, Key: key, ConsistentRead: true }));
  if (!Item) throw notFound();
  return parseEntry(Item);
}

/** A change of an entry that is in the table, or the coming of one that is not. */
export interface StoredChange extends EntryChange {
  readonly before: StoredEntry | null;
}

export interface WriteOptions {
  /** Written in the same transaction; they are the first, so that `ConditionFailed` tells their positions. */
  readonly others?: readonly TransactItem[];
  /** Known to be deleted, so that nobody needs to try to change their totals. */
  readonly goneProjects?: Iterable<string>;
  /** What a project was seen to name: that it still does so is checked with its totals, at no cost, instead of the client itself. */
  readonly namedClient?: NamedClient;
}

/**
 * Writes changes of entries, all or none, with everything that they imply; other items of the caller may go with them.
 *
 * @param changes of one organization; with what they imply at most 100 items
 * @throws Problem `reference_not_found` when the project or client of an entry does not exist (any more)
 * @throws ProjectChanged when the project does not exist or names another client
 * @throws ConditionFailed when an entry is not any more what the change started from, or for one of the other items
 */
export async function writeEntries(
  organizationId: string,
  changes: readonly StoredChange[],
  { others = [], goneProjects = [], namedClient }: WriteOptions = {},
): Promise<void> {
  const gone = new Set(goneProjects);
  for (;;) {
    const writes = planWrites(organizationId, changes, gone, namedClient);
    try {
      return await transact([...others, ...writes.map(({ item }) => item)]);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || others.some((_, position) => error.failedAt(position))) throw error;
      for (const { onFailure } of writes.filter((_, index) => error.failedAt(others.length + index))) {
        if (onFailure.kind === 'entry_changed') throw error;
        if (onFailure.kind === 'link_missing') throw referenceNotFound(onFailure.path);
        if (onFailure.kind === 'project_changed') throw new ProjectChanged();
        gone.add(onFailure.projectId);
      }
    }
  }
}

export interface NamedClient {
  readonly projectId: string;
  readonly clientId: string;
}

/** Thrown when a project does not name the client any more that it was seen to name; nothing was written. */
export class ProjectChanged extends Error {
  constructor() {
    super('The project does not name the client any more.');
    this.name = 'ProjectChanged';
  }
}

type OnFailure =
  | { readonly kind: 'entry_changed' }
  | { readonly kind: 'project_changed' }
  | { readonly kind: 'link_missing'; readonly path: 'projectId' | 'clientId' }
  /** Only the totals of a project that an entry leaves: where there is no project any more, there are none to change. */
  | { readonly kind: 'project_gone'; readonly projectId: string };

interface PlannedWrite {
  readonly item: TransactItem;
  readonly onFailure: OnFailure;
}

function planWrites(
  organizationId: string,
  changes: readonly StoredChange[],
  goneProjects: ReadonlySet<string>,
  namedClient: NamedClient | undefined,
): PlannedWrite[] {
  const entryChanged = { kind: 'entry_changed' } as const;
  return [
    ...changes.map((change) => ({ item: entryWrite(organizationId, change), onFailure: entryChanged })),
    ...ledgerUpdates(organizationId, changes).map((item) => ({ item, onFailure: entryChanged })),
    ...projectWrites(organizationId, changes, goneProjects, namedClient),
    ...clientChecks(organizationId, changes, namedClient),
  ];
}

function entryWrite(organizationId: string, { before, after }: StoredChange): TransactItem {
  if (!after && !before) throw new Error('A change without an entry.');
  const unchanged = before ? unchangedSince(before) : { ConditionExpression: 'attribute_not_exists(pk)' };
  if (after) return { Put: { TableName: TABLE_NAME, Item: toItem(after, (before?.version ?? 0) + 1), ...unchanged } };
  return { Delete: { TableName: TABLE_NAME, Key: entryKey(organizationId, before?.id ?? ''), ...unchanged } };
}

function toItem(entry: Entry, version: number) {
  return {
    ...entryKey(entry.organizationId, entry.id),
    ...v.parse(stored, { ...entry, version }),
    cellPk: cellPartition(entry.organizationId, entry.entryDate, entry),
    cellSk: cellSort(entry.startedAt, entry.createdAt, entry.id),
    foldedDescription: fold(entry.description),
    ...(entry.clientLabel !== null && { foldedLabel: fold(entry.clientLabel) }),
  };
}

const EXISTS: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/** Project totals, and for a project that entries are linked to from now on the condition that it exists, also where its totals stay. */
function projectWrites(
  organizationId: string,
  changes: readonly StoredChange[],
  gone: ReadonlySet<string>,
  namedClient: NamedClient | undefined,
): PlannedWrite[] {
  const linked = new Set(changes.map(({ after }) => after?.projectId));
  return [...projectSums(changes)].flatMap(([projectId, sums]) => {
    if (gone.has(projectId)) return [];
    const key = projectKey(organizationId, projectId);
    const named = namedClient?.projectId === projectId ? namedClient : undefined;
    const isLinked = linked.has(projectId);
    const condition = named ? stillNames(named) : EXISTS;
    const item = sumsUpdate(key, sums, condition) ?? (isLinked ? check(key, condition) : undefined);
    if (!item) return [];
    if (named) return { item, onFailure: { kind: 'project_changed' } };
    const onFailure: OnFailure = isLinked
      ? { kind: 'link_missing', path: 'projectId' }
      : { kind: 'project_gone', projectId };
    return { item, onFailure };
  });
}

function projectSums(changes: readonly StoredChange[]): Map<string, Map<string, bigint>> {
  const projects = new Map<string, Map<string, bigint>>();
  const add = (entry: Entry | null, sign: bigint) => {
    if (!entry?.projectId) return;
    const sums = projects.get(entry.projectId) ?? new Map<string, bigint>();
    projects.set(entry.projectId, sums);
    for (const [attribute, amount] of projectContributions(entry)) {
      sums.set(attribute, (sums.get(attribute) ?? 0n) + sign * amount);
    }
  };
  for (const { before, after } of changes) {
    add(before, -1n);
    add(after, 1n);
  }
  return projects;
}

function projectContributions(entry: Entry): [string, bigint][] {
  const minutes = BigInt(entry.durationMinutes);
  return [
    ['totalMinutes', minutes],
    ['billableMinutes', entry.billable ? minutes : 0n],
    [`amount_${entry.currency}`, amountMinorOf(entry)],
  ];
}

function clientChecks(
  organizationId: string,
  changes: readonly StoredChange[],
  namedClient: NamedClient | undefined,
): PlannedWrite[] {
  const isNamed = ({ projectId, clientId }: Entry) =>
    projectId === namedClient?.projectId && clientId === namedClient.clientId;
  const clientIds = new Set(changes.flatMap(({ after }) => (after && !isNamed(after) && after.clientId) || []));
  return [...clientIds].map((id) => ({
    item: existenceCheck(clientKey(organizationId, id)),
    onFailure: { kind: 'link_missing', path: 'clientId' },
  }));
}

/** For what is linked to from now on. */
export function existenceCheck(Key: Key): TransactItem {
  return check(Key, EXISTS);
}

function check(Key: Key, condition: Condition): TransactItem {
  return { ConditionCheck: { TableName: TABLE_NAME, Key, ...condition } };
}

function stillNames({ clientId }: NamedClient): Condition {
  return { ConditionExpression: 'clientId = :namedClient', ExpressionAttributeValues: { ':namedClient': clientId } };
}
