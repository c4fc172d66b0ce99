import { findClients } from '#shared/data/clients/clients.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { type Followed, keepsParties, withParties } from '#shared/domain/invoices/parties.ts';

/**
 * Drafts follow the organization and their clients: one round trip, with a unit for each. Sent invoices have copies.
 */
export async function readParties<I extends Followed>(
  organizationId: string,
  invoices: readonly I[],
): Promise<readonly (I & Pick<Invoice, 'seller'>)[]> {
  if (invoices.every(keepsParties)) return invoices;
  const drafts = invoices.filter((invoice) => !keepsParties(invoice));
  const [organization, clients] = await Promise.all([
    readOrganization(organizationId),
    findClients(organizationId, new Set(drafts.map(({ clientId }) => clientId))),
  ]);
  return invoices.map((invoice) => withParties(invoice, { organization, client: clients.get(invoice.clientId) }));
}
