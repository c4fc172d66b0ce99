import { readDirectory } from '#shared/data/directory/directory.ts';
import { type ConfidentMappings, confidentMappings, remoteNames } from '#shared/domain/remote/mapping.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import { readRemembered } from './mappings.ts';

export async function readConfidentMappings(
  organizationId: string,
  accountId: string,
  rows: readonly RemoteRow[],
): Promise<ConfidentMappings> {
  const [remembered, { clients, projects }] = await Promise.all([
    readRemembered(organizationId, accountId, remoteNames(rows)),
    readDirectory(organizationId),
  ]);
  return confidentMappings(rows, remembered, [...clients.values()], [...projects.values()]);
}
