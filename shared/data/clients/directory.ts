import * as v from 'valibot';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import {
  clientPartition,
  deletedKey,
  deletedPartition,
  directoryKey,
  projectPartition,
} from '#shared/data/dynamo/keys.ts';
import type { TransactItem } from '#shared/data/dynamo/transaction.ts';
import type { ProjectTerms } from '#shared/domain/tracker/project-terms.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';

/**
 * The directory: what entries, timers and projects of an organization refer to, by id.
 *
 * A running function keeps the directory in memory. Each change of a project or client raises the directory's version
 * in the same transaction. So one strongly consistent read of the version tells whether the directory in memory is
 * current. A page of a hundred entries asks one question instead of a hundred, and a deleted project is gone for
 * everybody at once.
 */

const project = v.object({
  id: v.string(),
  name: v.string(),
  clientId: v.nullable(v.string()),
  defaultRate: v.nullable(v.string()),
  currency: v.string(),
  billable: v.boolean(),
});

/** A project as others refer to it. A deleted client is no longer its client. */
export type LinkedProject = ProjectTerms & v.InferOutput<typeof project>;

const named = v.object({ id: v.string(), name: v.string() });

type Named = v.InferOutput<typeof named>;

export interface Directory {
  readonly projects: ReadonlyMap<string, LinkedProject>;
  readonly clients: ReadonlyMap<string, Named>;
  /** Former names of deleted projects and clients, by id: entries keep a client's name as their label. */
  readonly deletedNames: ReadonlyMap<string, string>;
}

interface HeldDirectory extends Directory {
  readonly version: number;
}

/** A directory of a hundred names takes some 30 KB of the function's memory. */
const MAX_HELD_DIRECTORIES = 100;

const held = new BoundedMap<HeldDirectory>(MAX_HELD_DIRECTORIES);

/** The present directory. */
export async function readDirectory(organizationId: string): Promise<Directory> {
  const version = await readVersion(organizationId);
  const known = held.get(organizationId);
  if (known?.version === version) return known;
  const directory = { version, ...(await load(organizationId)) };
  held.set(organizationId, directory);
  return directory;
}

const versionItem = v.object({ version: v.optional(v.number(), 0) });

async function readVersion(organizationId: string): Promise<number> {
  const item = await readItem(directoryKey(organizationId));
  return v.parse(versionItem, item ?? {}).version;
}

/** For every transaction that adds, changes or deletes a project or a client. */
export function directoryChange(organizationId: string): TransactItem {
  return {
    Update: {
      TableName: TABLE_NAME,
      Key: directoryKey(organizationId),
      UpdateExpression: 'ADD version :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

/** For the transaction that deletes a project or a client. */
export function deletion(organizationId: string, { id, name }: Named): TransactItem[] {
  const put = { TableName: TABLE_NAME, Item: { ...deletedKey(organizationId, id), id, name } };
  return [{ Put: put }, directoryChange(organizationId)];
}

/**
 * Reads the directory from the table. A change meanwhile raises the version, so the next request reads again. Projects
 * are read before clients: the client of a project is then either among the clients, or deleted.
 */
async function load(organizationId: string): Promise<Directory> {
  const projects = v.parse(
    v.array(project),
    await readCollection({
      partition: projectPartition(organizationId),
      filter: { expression: 'attribute_exists(id)' },
      attributes: ['id', 'name', 'clientId', 'defaultRate', 'currency', 'billable'],
    }),
  );
  const [clientItems, deletedItems] = await Promise.all([
    readCollection({ partition: clientPartition(organizationId), attributes: ['id', 'name'] }),
    readCollection({ partition: deletedPartition(organizationId), attributes: ['id', 'name'] }),
  ]);
  const clients = byId(v.parse(v.array(named), clientItems));
  return {
    projects: byId(projects.map((each) => withLiveClient(each, clients))),
    clients,
    deletedNames: new Map(v.parse(v.array(named), deletedItems).map(({ id, name }) => [id, name])),
  };
}

function byId<T extends { readonly id: string }>(things: readonly T[]): Map<string, T> {
  return new Map(things.map((thing) => [thing.id, thing]));
}

/** Clears a project's link to a client that was deleted. */
export function withLiveClient<P extends { readonly clientId: string | null }>(
  linked: P,
  clients: { has(id: string): boolean },
): P {
  return linked.clientId === null || clients.has(linked.clientId) ? linked : { ...linked, clientId: null };
}
