import { resolveHolds } from '#shared/data/holds/billing.ts';
import { apiKeyIdKey, apiKeyKey, apiKeyListingKey } from '#shared/data/layout/keys.ts';
import { readOrganization, saveOrganization } from '#shared/data/organization/organizations.ts';
import { getConnection, saveConnection } from '#shared/data/remote/connection.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readEntry, writeEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { type LinkedObjects, readLinks, readWantedLinks } from '#shared/data/tracker/links.ts';
import { getSession, saveEnded } from '#shared/data/tracker/timers.ts';
import { hashApiKey } from '#shared/domain/keys/api-key.ts';
import { assertNotInvoiced, type EntryChanges } from '#shared/domain/tracker/entry.ts';
import type { WantedLinks } from '#shared/domain/tracker/project-terms.ts';
import type { Session } from '#shared/domain/tracker/timer.ts';
import { changeEntry } from '#shared/work/tracker/change-entry.ts';
import { assertRunning, startSession } from '#shared/work/tracker/running-session.ts';
import type { User } from './given.ts';

/** Changes of what lies in the table, as handlers make them, at any moment and past what a body may say. */

/** The first read finds what was read before. */
export function freshly<Stored>(seen: Stored, readAgain: () => Promise<Stored>): () => Promise<Stored> {
  let isSeen = true;
  return async () => {
    const present = isSeen ? seen : await readAgain();
    isSeen = false;
    return present;
  };
}

const freshEntry = (entry: StoredEntry) => freshly(entry, () => readEntry(entry.organizationId, entry.id));

export function changeStoredEntry(entry: StoredEntry, changes: EntryChanges & WantedLinks, now = new Date()) {
  return retrying(freshEntry(entry), (current) => changeEntry(current, changes, now));
}

export function removeStoredEntry(entry: StoredEntry): Promise<void> {
  return retrying(freshEntry(entry), async (current) => {
    assertNotInvoiced(current, await resolveHolds(current.organizationId, [current]));
    await writeEntries([{ before: current, after: null }]);
  });
}

export function startStoredTimer(
  organizationId: string,
  wanted: WantedLinks,
  make: (links: LinkedObjects) => Session,
): Promise<Session> {
  return retrying(
    () => readWantedLinks(organizationId, wanted),
    async (links) => {
      const session = make(links);
      await startSession(session, []);
      return session;
    },
  );
}

export function endStoredTimer<Ending extends Parameters<typeof saveEnded>[1]>(
  session: Session,
  end: (links: LinkedObjects) => Ending,
): Promise<Ending> {
  return retrying(
    () => getSession(session, session.id),
    async (current) => {
      await assertRunning(current);
      const ending = end(await readLinks(current.organizationId, [current]));
      await saveEnded(current, ending, []);
      return ending;
    },
  );
}

type StoredOrganization = Awaited<ReturnType<typeof readOrganization>>;

export function changeStoredOrganization(
  id: string,
  change: (organization: StoredOrganization) => StoredOrganization,
): Promise<void> {
  return retrying(
    () => readOrganization(id),
    async (organization) => saveOrganization(organization, change(organization), []),
  );
}

type StoredConnection = Awaited<ReturnType<typeof getConnection>>;

export function changeStoredConnection(
  connection: StoredConnection,
  change: (connection: StoredConnection) => Parameters<typeof saveConnection>[1],
) {
  return retrying(
    freshly(connection, () => getConnection(connection.organizationId)),
    (current) => saveConnection(current, change(current), []),
  );
}

/** How many of the three items of a key are there. */
export async function itemsOfKey({ organization, keyId, apiKey }: User): Promise<number> {
  const places = [apiKeyListingKey(organization.id, keyId), apiKeyKey(hashApiKey(apiKey)), apiKeyIdKey(keyId)];
  return (await batchGet(places)).length;
}
