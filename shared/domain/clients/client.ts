export interface Client {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly website: string | null;
  readonly contact: string | null;
  readonly addressLine1: string | null;
  readonly addressLine2: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  readonly countryCode: string | null;
  readonly taxNumber: string | null;
  /** Null: the organization's currency. */
  readonly currency: string | null;
  readonly note: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type Details = Omit<Client, 'id' | 'organizationId' | 'name' | 'createdAt' | 'updatedAt'>;

export type ClientDraft = Pick<Client, 'name'> & Partial<Details>;

export type ClientChanges = Partial<ClientDraft>;

const NO_DETAILS: Details = {
  email: null,
  phone: null,
  website: null,
  contact: null,
  addressLine1: null,
  addressLine2: null,
  city: null,
  region: null,
  postalCode: null,
  countryCode: null,
  taxNumber: null,
  currency: null,
  note: null,
};

export function newClient(draft: ClientDraft, organizationId: string, id: string, now: Date): Client {
  return {
    ...NO_DETAILS,
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
