import { join } from 'node:path';
import { v7 as uuidV7 } from 'uuid';
import { insertClient, readClient, saveClient } from '#shared/data/clients/clients.ts';
import type { Directory } from '#shared/data/directory/directory.ts';
import { record } from '#shared/data/events/outbox.ts';
import { directoryRowsKey } from '#shared/data/layout/keys.ts';
import { readUser, saveUser } from '#shared/data/organization/users.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { happening, PLATFORM } from '#shared/domain/events/happening.ts';
import { withdraw } from '#shared/work/organization/withdraw.ts';
import { putItems } from './table-scan.ts';

const MODULE = join(import.meta.dirname, '../../shared/data/directory/directory.ts');

let started = 0;

/** Reads the directory as a function that has just started: it holds nothing. */
export async function newReader(): Promise<(organizationId: string) => Promise<Directory>> {
  started += 1;
  const loaded: typeof import('#shared/data/directory/directory.ts') = await import(`${MODULE}?started=${started}`);
  return loaded.readDirectory;
}

/** @returns the id of the new client */
export async function addClient(organizationId: string, name: string): Promise<string> {
  const client = newClient({ name }, organizationId, uuidV7(), new Date());
  await insertClient(client, []);
  return client.id;
}

export async function renameClient(organizationId: string, id: string, name: string): Promise<void> {
  await retrying(
    () => readClient(organizationId, id),
    (client) => saveClient(client, { ...client, name }, []),
  );
}

export async function renameUser(organizationId: string, id: string, name: string): Promise<void> {
  const user = await readUser(organizationId, id);
  await saveUser(organizationId, user, { ...user, name }, []);
}

export async function removeUser(organizationId: string, id: string): Promise<void> {
  await retrying(
    () => readUser(organizationId, id),
    (user) => {
      const now = new Date();
      return withdraw(organizationId, user, now, [
        record(organizationId, PLATFORM, now, [happening('user.removed', user)]),
      ]);
    },
  );
}

/** Puts clients into the directory, and nowhere else. The directory has no clients yet. */
export async function fillDirectory(organizationId: string, names: readonly string[]): Promise<void> {
  const clients = names.map((name) => ({ name, id: uuidV7() }));
  const packed = Map.groupBy(clients, ({ id }) => directoryRowsKey(organizationId, id).sk);
  const items = [...packed.values()].map((rows) => ({
    ...directoryRowsKey(organizationId, rows[0]?.id ?? ''),
    ...Object.fromEntries(rows.map(({ id, name }) => [id, name])),
  }));
  await putItems(items);
}
