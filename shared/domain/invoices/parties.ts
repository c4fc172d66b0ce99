import type { Client } from '#shared/domain/clients/client.ts';
import { type Organization, type Seller, sellerOf } from '#shared/domain/organization/organization.ts';

export interface Parties {
  readonly organization: Organization;
  readonly client: Client;
}

export type Customer = Omit<
  Client,
  'id' | 'organizationId' | 'currency' | 'note' | 'externalId' | 'metadata' | 'createdAt' | 'updatedAt'
>;

export function customerOf({
  organizationId: _,
  id,
  currency,
  note,
  externalId,
  metadata,
  createdAt,
  updatedAt,
  ...customer
}: Client): Customer {
  return customer;
}

export interface Followed {
  readonly clientId: string;
  readonly customer: Customer;
  /** Absent from a stored draft. */
  readonly seller?: Seller;
}

/** Whether the copies of seller and customer are final. */
export function keepsParties<I extends Followed>(invoice: I): invoice is I & { readonly seller: Seller } {
  return invoice.seller !== undefined;
}

/** A draft shows both as they are now, a sent invoice as they were then. @param client undefined if it was deleted */
export function withParties<I extends Followed>(
  invoice: I,
  { organization, client }: Pick<Parties, 'organization'> & Partial<Parties>,
): I & { readonly seller: Seller } {
  if (keepsParties(invoice)) return invoice;
  const customer = client ? customerOf(client) : invoice.customer;
  return { ...invoice, seller: sellerOf(organization), customer };
}
