import type { Client } from '#shared/domain/clients/client.ts';
import { type Organization, type Seller, sellerOf } from '#shared/domain/organization/organization.ts';

/** Whom an invoice is between. */
export interface Parties {
  readonly organization: Organization;
  readonly client: Client;
}

/** Who is billed: what an invoice says of its client. */
export type Customer = Omit<Client, 'id' | 'organizationId' | 'currency' | 'note' | 'createdAt' | 'updatedAt'>;

export function customerOf({
  organizationId: _,
  id,
  currency,
  note,
  createdAt,
  updatedAt,
  ...customer
}: Client): Customer {
  return customer;
}

/** What of an invoice follows its organization and its client, or is a copy of them. */
export interface Followed {
  readonly clientId: string;
  readonly customer: Customer;
  /** A draft as it is stored has none. */
  readonly seller?: Seller;
}

/** Whether an invoice has copies of its seller and customer that nothing changes any more. */
export function keepsParties<I extends Followed>(invoice: I): invoice is I & { readonly seller: Seller } {
  return invoice.seller !== undefined;
}

/**
 * An invoice with its seller and customer. A draft shows both as they are now, an invoice that was sent as they were
 * then.
 *
 * @param client undefined if it was deleted: the copy of it stays
 */
export function withParties<I extends Followed>(
  invoice: I,
  { organization, client }: Pick<Parties, 'organization'> & Partial<Parties>,
): I & { readonly seller: Seller } {
  if (keepsParties(invoice)) return invoice;
  const customer = client ? customerOf(client) : invoice.customer;
  return { ...invoice, seller: sellerOf(organization), customer };
}
