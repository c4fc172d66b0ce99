import * as v from 'valibot';
import { clientCheck } from '#shared/data/clients/clients.ts';
import { type Directory, readDirectory, readDirectoryFor, withLiveClient } from '#shared/data/directory/directory.ts';
import { toProjectRow, transactWithDirectory } from '#shared/data/directory/rows.ts';
import {
  countKey,
  type Key,
  projectKey,
  projectNameKey,
  projectPartition,
  shardsOf,
  sortKeyRange,
} from '#shared/data/layout/keys.ts';
import { equalling, type Filter, readCollection } from '#shared/data/table/collection.ts';
import { readCount } from '#shared/data/table/counts.ts';
import { known } from '#shared/data/table/known.ts';
import { metadata, metadataAttribute, nullableTexts, texts, timeRounding } from '#shared/data/table/members.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import type { Item } from '#shared/data/table/query.ts';
import { joinShards } from '#shared/data/table/shards.ts';
import { increase } from '#shared/data/table/sums.ts';
import { refusing, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { change, IS_ABSENT, put, remove, unread } from '#shared/data/table/writes.ts';
import type { Listed, Slice } from '#shared/domain/page.ts';
import { fault, notFound, type Problem, referenceNotFound } from '#shared/domain/problems.ts';
import { fold, foldText } from '#shared/domain/text.ts';
import {
  BILLING_MODES,
  PROJECT_STATUSES,
  type Project,
  type ProjectFields,
  type ProjectStatus,
  type ProjectTotals,
} from '#shared/domain/tracker/project.ts';
import { readLinkNames, userRates } from './links.ts';

/**
 * Entries add to the totals of a project at any moment, and do not touch `version`. A change of a project therefore
 * sets its own fields, and leaves the rest alone. A second item holds the name, so no two projects can have it.
 */

export type StoredProject = Project & Versioned;

/** @throws Problem `not_found` */
export async function readProject(organizationId: string, id: string): Promise<StoredProject> {
  const partition = projectPartition(organizationId);
  const [project] = joinTotals(await readCollection({ partition, between: sortKeyRange(id) }));
  if (!project) throw notFound();
  return fromItem(project);
}

/** A shard that outlived its project is no project. */
const joinTotals = (items: readonly Item[]): Item[] => joinShards(items).filter(({ id }) => id !== undefined);

/** @throws Problem `project_name_taken`, `reference_not_found` */
export async function insertProject({ totals: _, ...fields }: Project, others: readonly Write[]): Promise<void> {
  const { organizationId, id, clientId } = fields;
  const version = newVersion();
  const writes = [
    put({ ...toItem({ ...fields, version }), ...NO_TIME }, fromItem, IS_ABSENT),
    takeName(fields),
    increase(countKey(organizationId, 'PROJECT'), { all: 1 }),
    ...(clientId === null ? [] : [demandClient(organizationId, clientId)]),
    ...others,
  ];
  await transactWithDirectory(organizationId, writes, { id, after: toProjectRow(fields) });
}

/** @throws Problem `project_name_taken`, `reference_not_found`; ConditionFailed */
export async function saveProject(
  before: StoredProject,
  after: Project,
  linkedTo: string | null | undefined,
  others: readonly Write[],
): Promise<void> {
  if (after === before) return;
  const { organizationId, id } = before;
  const writes = [
    change(toItem(before), toItem({ ...after, version: newVersion() }), v.parser(ownFields), unchangedSince(before)),
    ...renaming(before, after),
    ...(linkedTo ? [demandClient(organizationId, linkedTo)] : []),
    ...others,
  ];
  await transactWithDirectory(organizationId, writes, { id, before: toProjectRow(before), after: toProjectRow(after) });
}

/** @throws ConditionFailed */
export async function removeProject(project: StoredProject, others: readonly Write[]): Promise<void> {
  const { organizationId, id } = project;
  const key = projectKey(organizationId, id);
  const writes = [
    remove(key, unchangedSince(project)),
    ...shardsOf(key).map((shard) => remove(shard)),
    remove(nameKey(project)),
    increase(countKey(organizationId, 'PROJECT'), { all: -1 }),
    ...others,
  ];
  await transactWithDirectory(organizationId, writes, { id, before: toProjectRow(project) });
}

interface ListRequest extends Slice {
  readonly organizationId: string;
  readonly status?: ProjectStatus;
  readonly clientId?: string;
  readonly q?: string;
}

/** A list without a filter takes its total from the count item, and reading stops at the end of the page. */
export async function readProjects({
  organizationId,
  q,
  limit,
  offset,
  ...wanted
}: ListRequest): Promise<Listed<StoredProject>> {
  const partition = projectPartition(organizationId);
  const filter = equalling({ status: wanted.status, clientId: wanted.clientId });
  const total = filter || q ? undefined : () => readCount(countKey(organizationId, 'PROJECT'));
  const directory = readDirectory(organizationId);
  // The names of clients are in no project, so a search knows all of them first.
  const join = q ? joinMatches(q, await directory) : joinTotals;
  const [page] = await Promise.all([
    readPage({ partition, filter: filter && orShard(filter), limit, offset, total, join, counted: PROJECTS }, fromItem),
    directory,
  ]);
  const linked = page.items.map(({ clientId }) => ({ projectId: null, clientId }));
  const { clients } = await readDirectoryFor(organizationId, linked, directory);
  // Projects keep the link to a deleted client, but no list finds them by it.
  if (wanted.clientId !== undefined && !clients.has(wanted.clientId)) return { items: [], total: 0 };
  return { ...page, items: page.items.map((project) => withLiveClient(project, clients)) };
}

/** Shards lie beside projects, and do not count. */
const PROJECTS: Filter = { expression: 'attribute_exists(id)' };

/** Keeps the projects with a text in the name, the code or the name of the client. */
function joinMatches(q: string, { clients }: Directory): (items: readonly Item[]) => Item[] {
  const text = foldText(q);
  const has = (value: string | null | undefined) => foldText(value ?? '').includes(text);
  return (items) =>
    joinTotals(items).filter((item) => {
      const { name, code, clientId } = v.parse(searchable, item);
      return has(name) || has(code) || (clientId !== null && has(clients.get(clientId)?.name));
    });
}

const searchable = v.object({ ...texts('name'), ...nullableTexts('code', 'clientId') });

/** Shards lack the attributes of a filter. They are always read, for the projects that the filter finds. */
const orShard = ({ expression, ...filter }: Filter): Filter => ({
  ...filter,
  expression: `(${expression}) OR attribute_not_exists(id)`,
});

/** The link to a deleted client stays in the table, and nobody sees it. */
export async function withoutDeletedClient<P extends Project>(project: P): Promise<P> {
  const { organizationId, clientId } = project;
  const { clients } = await readLinkNames(organizationId, { projectId: null, clientId });
  return withLiveClient(project, clients);
}

const ownFields = v.object({
  ...texts('id', 'organizationId', 'name', 'currency', 'createdAt', 'updatedAt'),
  ...nullableTexts('clientId', 'code', 'description', 'externalRef', 'defaultRate', 'color'),
  billable: v.boolean(),
  estimateHours: v.nullable(v.number()),
  tags: v.array(v.string()),
  assignedUserIds: v.array(v.string()),
  metadata,
  userRates,
  rounding: v.optional(v.nullable(timeRounding), null),
  billingMode: known(BILLING_MODES, 'hourly'),
  status: known(PROJECT_STATUSES, 'in_progress'),
  version: v.number(),
});

const stored = v.object({
  ...ownFields.entries,
  totalMinutes: v.number(),
  billableMinutes: v.number(),
  /** What rounding adds to these. */
  roundingMinutes: v.optional(v.number(), 0),
});

/** Adding to missing attributes would work too, but a reader could not tell that from a broken item. */
const NO_TIME = { totalMinutes: 0, billableMinutes: 0 };

function fromItem(item: Record<string, unknown>): StoredProject {
  const { totalMinutes, billableMinutes, roundingMinutes, ...fields } = v.parse(stored, item);
  const billedMinutes = billableMinutes + roundingMinutes;
  return { ...fields, totals: { totalMinutes, billableMinutes, billedMinutes, amountsMinor: amountsOf(item) } };
}

/** Without the totals. */
function toItem(project: ProjectFields & Versioned) {
  const { userRates: rates, metadata: facts, rounding, ...fields } = v.parse(ownFields, project);
  return {
    ...projectKey(project.organizationId, project.id),
    ...fields,
    ...(rates.length > 0 && { userRates: rates }),
    ...(rounding && { rounding }),
    ...metadataAttribute(facts),
  };
}

const AMOUNT_PREFIX = 'amount_';

/** The SDK reads a number beyond the safe integers as a bigint. */
const amountMinor = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger()), v.bigint()]),
  v.transform((minor) => BigInt(minor)),
);

function amountsOf(item: Record<string, unknown>): ProjectTotals['amountsMinor'] {
  const amounts = Object.entries(item).filter(([name]) => name.startsWith(AMOUNT_PREFIX));
  return Object.fromEntries(
    amounts.map(([name, value]) => [name.slice(AMOUNT_PREFIX.length), v.parse(amountMinor, value)]),
  );
}

function nameKey({ organizationId, name }: Pick<ProjectFields, 'organizationId' | 'name'>): Key {
  return projectNameKey(organizationId, fold(name));
}

function takeName(project: ProjectFields): Write {
  return refusing(put({ ...nameKey(project), projectId: project.id }, unread, IS_ABSENT), nameTaken);
}

function nameTaken(): Problem {
  return fault('project_name_taken', 'name', 'Another project of the organization has this name.');
}

/** A name that differs only in case is the same name. */
function renaming(current: Project, changed: Project): Write[] {
  const freed = nameKey(current);
  return freed.sk === nameKey(changed).sk ? [] : [remove(freed), takeName(changed)];
}

function demandClient(organizationId: string, clientId: string): Write {
  return refusing(clientCheck(organizationId, clientId), () => referenceNotFound('clientId'));
}
