import { type Details, NO_DETAILS } from '#shared/domain/details.ts';
import type { EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import { type Metadata, type MetadataChanges, mergedMetadata, NO_METADATA } from '#shared/domain/metadata.ts';
import { revised } from '#shared/domain/revised.ts';

export interface Client extends Details {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly contact: string | null;
  /** By which the customer finds who ordered: BT-10 of EN 16931. */
  readonly buyerReference: string | null;
  /** The format that its invoices must be good for; null: any. */
  readonly eInvoiceFormat: EInvoiceFormat | null;
  /** Null: the organization's currency. */
  readonly currency: string | null;
  readonly note: string | null;
  readonly externalId: string | null;
  readonly metadata: Metadata;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type OptionalDetails = Omit<Client, 'id' | 'organizationId' | 'name' | 'metadata' | 'createdAt' | 'updatedAt'> & {
  readonly metadata: MetadataChanges;
};

export type ClientDraft = Pick<Client, 'name'> & Partial<OptionalDetails>;

export type ClientChanges = Partial<ClientDraft>;

export function newClient(draft: ClientDraft, organizationId: string, id: string, now: Date): Client {
  return {
    ...NO_DETAILS,
    contact: null,
    buyerReference: null,
    eInvoiceFormat: null,
    currency: null,
    note: null,
    externalId: null,
    ...draft,
    metadata: mergedMetadata(NO_METADATA, draft.metadata),
    id,
    organizationId,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

export function reviseClient(client: Client, changes: ClientChanges, now: Date): Client {
  return revised(client, { ...client, ...changes, metadata: mergedMetadata(client.metadata, changes.metadata) }, now);
}
