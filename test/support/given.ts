import { randomUUID } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { issueApiKey } from '#shared/data/keys.ts';
import { ensureOrganization, ensureUser, type Organization } from '#shared/data/organizations.ts';
import { SCOPES, type Scope } from '#shared/domain/scopes.ts';
import { Client, type Json } from './client.ts';

/** The vocabulary that sets the scene of a test. Everything is made in an organization of its own unless one is given. */

/** A user with a key, ready to call the API. */
export class User extends Client {
  readonly organization: Organization;
  readonly userId: string;
  readonly keyId: string;
  readonly apiKey: string;

  constructor(organization: Organization, issued: { apiKey: string; id: string; userId: string }) {
    super(issued.apiKey);
    this.organization = organization;
    this.userId = issued.userId;
    this.keyId = issued.id;
    this.apiKey = issued.apiKey;
  }
}

interface UserWishes {
  readonly organization?: Organization;
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly rateLimit?: number;
  readonly expiresAt?: string;
  readonly currency?: string;
}

/** High enough that no test but those of the limit meets it. */
const UNLIMITED = 1_000_000;

async function organization(currency = 'USD'): Promise<Organization> {
  return ensureOrganization(`Organization ${randomUUID()}`, currency);
}

async function user(wishes: UserWishes = {}): Promise<User> {
  const home = wishes.organization ?? (await organization(wishes.currency));
  const { id: userId } = await ensureUser(home.id, wishes.name ?? `User ${randomUUID()}`);
  const issued = await issueApiKey(
    {
      id: uuidV7(),
      name: 'Test',
      organizationId: home.id,
      userId,
      scopes: wishes.scopes ?? SCOPES,
      rateLimit: wishes.rateLimit ?? UNLIMITED,
      expiresAt: wishes.expiresAt ?? null,
      currency: home.currency,
    },
    new Date(),
  );
  return new User(home, issued);
}

async function product(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  const reply = await by.post('/products', { name: 'Consulting', price: '120.00', ...values });
  return created(reply);
}

async function apiKey(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  return created(await by.post('/v1/api-keys', { name: 'Second key', scopes: ['products:read'], ...values }));
}

function created({ status, body }: { status: number; body: Json }): Json {
  if (status !== 201) throw new Error(`Could not set the scene: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

export const given = { organization, user, product, apiKey };
