import { handler as eraseOrganization } from '#functions/organization/erase-organization.ts';
import { organizationCountKey } from '#shared/data/layout/keys.ts';
import { beginDeletion } from '#shared/data/organization/deletions.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { deletionOf } from '#shared/domain/organization/deletion.ts';
import type { User } from './given.ts';
import { deliver } from './imports.ts';
import { exactly, scanTable } from './table-scan.ts';

/** Deletions of organizations, whose worker a test runs itself. */

export type Item = Readonly<Record<string, unknown>>;

/** Every item of the table, by whether it tells of an organization. How many there are is nobody's. */
export async function itemsOf({ organization }: User): Promise<{ readonly own: Item[]; readonly others: Item[] }> {
  const [own, others]: [Item[], Item[]] = [[], []];
  for await (const item of scanTable()) {
    if (exactly(item).includes(organization.id)) own.push(item);
    else if (item.pk !== organizationCountKey.pk) others.push(item);
  }
  return { own, others };
}

export async function deleteOrganization({ organization }: User): Promise<void> {
  const stored = await readOrganization(organization.id);
  await beginDeletion(stored, deletionOf(stored, new Date()), new Date());
}

export const messageOf = ({ organization }: User) => ({
  organizationId: organization.id,
  dueAt: new Date().toISOString(),
});

export const erase = (by: User) => deliver(eraseOrganization, messageOf(by));
