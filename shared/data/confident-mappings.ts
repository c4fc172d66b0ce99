import * as v from 'valibot';
import { type ConfidentMappings, confidentMappings, remoteNames } from '#shared/domain/mapping.ts';
import type { RemoteRow } from '#shared/domain/remote-row.ts';
import { readCollection } from './collection.ts';
import { readRemembered } from './remote-mappings.ts';
import { clientPartition, projectPartition } from './table.ts';

const clients = v.array(v.object({ id: v.string(), name: v.string() }));

const projects = v.array(v.object({ id: v.string(), name: v.string(), clientId: v.nullable(v.string()) }));

/** What the names of remote rows stand for beyond doubt, among all clients and projects that the organization has now. */
export async function readConfidentMappings(
  organizationId: string,
  accountId: string,
  rows: readonly RemoteRow[],
): Promise<ConfidentMappings> {
  const [remembered, clientItems, projectItems] = await Promise.all([
    readRemembered(organizationId, accountId, remoteNames(rows)),
    readCollection({ partition: clientPartition(organizationId) }),
    readCollection({ partition: projectPartition(organizationId) }),
  ]);
  return confidentMappings(rows, remembered, v.parse(clients, clientItems), v.parse(projects, projectItems));
}
