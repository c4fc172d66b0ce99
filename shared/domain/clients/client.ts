import { type Details, NO_DETAILS } from '#shared/domain/details.ts';

export interface Client extends Details {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly contact: string | null;
  /** Null: the organization's currency. */
  readonly currency: string | null;
  readonly note: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type OptionalDetails = Omit<Client, 'id' | 'organizationId' | 'name' | 'createdAt' | 'updatedAt'>;

export type ClientDraft = Pick<Client, 'name'> & Partial<OptionalDetails>;

export type ClientChanges = Partial<ClientDraft>;

export function newClient(draft: ClientDraft, organizationId: string, id: string, now: Date): Client {
  return {
    ...NO_DETAILS,
    contact: null,
    currency: null,
    note: null,
    ...draft,
    id,
    organizationId,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

export function reviseClient(client: Client, changes: ClientChanges, now: Date): Client {
  return Object.keys(changes).length === 0 ? client : { ...client, ...changes, updatedAt: now.toISOString() };
}
