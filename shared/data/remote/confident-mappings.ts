import { type Directory, readDirectory } from '#shared/data/directory/directory.ts';
import { type ConfidentMappings, confidentMappings, remoteNames } from '#shared/domain/remote/mapping.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import { readRemembered } from './mappings.ts';

export async function readConfidentMappings(
  organizationId: string,
  accountId: string,
  rows: readonly RemoteRow[],
  directory: Promise<Directory> = readDirectory(organizationId),
): Promise<ConfidentMappings> {
  const [remembered, { clients, projects, users }] = await Promise.all([
    readRemembered(organizationId, accountId, remoteNames(rows)),
    directory,
  ]);
  return confidentMappings(rows, remembered, {
    clients: [...clients.values()],
    projects: [...projects.values()],
    users: [...users.values()].filter(({ isActive }) => isActive),
  });
}
