import { belongingsOf } from '#shared/data/organization/belongings.ts';
import { type DueDeletion, endDeletion, moveDeletion } from '#shared/data/organization/deletions.ts';
import { findOrganizationById } from '#shared/data/organization/organizations.ts';
import { removeConnection } from '#shared/data/remote/connection.ts';
import { closeImports } from '#shared/data/remote/imports.ts';
import { clear } from '#shared/data/table/clear.ts';
import { quietFrom } from '#shared/domain/organization/deletion.ts';
import { logger } from '#shared/runtime/logger.ts';

/**
 * Removes all items of an organization, long enough after its deletion began that nobody writes any more. Each item
 * goes after all that it leads to, and the organization's own item is the last. So a run may die anywhere, and another
 * one goes on.
 */
export async function eraseOrganization(deletion: DueDeletion, mayGoOn: () => boolean): Promise<void> {
  const { organizationId } = deletion;
  const organization = await findOrganizationById(organizationId);
  if (organization?.status !== 'deleting') return;
  // A request that had begun before has connected the provider again, from where a sync may have begun.
  if (await removeConnection(organizationId, [])) {
    await moveDeletion(deletion, quietFrom(new Date()));
    return;
  }
  await closeImports(organizationId, new Date());
  if (await clear(belongingsOf(organizationId), mayGoOn)) {
    await endDeletion(organizationId);
    logger.info('organization removed', { organizationId });
  } else {
    await moveDeletion(deletion, new Date().toISOString());
  }
}
