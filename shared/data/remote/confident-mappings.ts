import type { Directory } from '#shared/data/directory/directory.ts';
import type { Mappings } from '#shared/domain/remote/import-plan.ts';
import { type ConfidentMappings, confidentMappings, remoteNames, syncMappings } from '#shared/domain/remote/mapping.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import { readRemembered } from './mappings.ts';

export async function readConfidentMappings(
  organizationId: string,
  accountId: string,
  rows: readonly RemoteRow[],
  directory: Promise<Directory>,
  given?: Mappings,
): Promise<ConfidentMappings> {
  const [, remembered, targets] = await readKnown(organizationId, accountId, rows, directory);
  return confidentMappings(rows, given ? withGiven(remembered, given) : remembered, targets);
}

/** What a request says itself goes before what was confirmed earlier. */
function withGiven(remembered: Mappings, given: Mappings): Mappings {
  return {
    clients: new Map([...remembered.clients, ...given.clients]),
    projects: new Map([...remembered.projects, ...given.projects]),
    users: new Map([...remembered.users, ...given.users]),
  };
}

export async function readSyncMappings(...asked: Parameters<typeof readKnown>): Promise<Mappings> {
  return syncMappings(...(await readKnown(...asked)));
}

async function readKnown(
  organizationId: string,
  accountId: string,
  rows: readonly RemoteRow[],
  directory: Promise<Directory>,
): Promise<Parameters<typeof confidentMappings>> {
  const [remembered, { clients, projects, users }] = await Promise.all([
    readRemembered(organizationId, accountId, remoteNames(rows)),
    directory,
  ]);
  const targets = {
    clients: [...clients.values()],
    projects: [...projects.values()],
    users: [...users.values()].filter(({ isActive }) => isActive),
  };
  return [rows, remembered, targets];
}
