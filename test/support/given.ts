import { randomUUID } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { createClient } from '#shared/contract/clients/create-client.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { setLogo } from '#shared/contract/organization/set-logo.ts';
import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import { issueApiKey } from '#shared/data/keys/api-keys.ts';
import { ensureOrganization } from '#shared/data/organization/organizations.ts';
import { ensureUser } from '#shared/data/organization/users.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { PLATFORM_SCOPES, type PlatformScope, SCOPES, type Scope } from '#shared/domain/keys/scopes.ts';
import type { Role } from '#shared/domain/role.ts';
import { newSession, type Session, type SessionDraft } from '#shared/domain/tracker/timer.ts';
import { Client, type Json, type Reply } from './client.ts';
import { insertNewUser } from './person.ts';
import { LOGO } from './pictures.ts';
import { type AccountWishes, type RemoteAccount, remoteAccount } from './remote-account.ts';
import { startStoredTimer } from './stored.ts';

/**
 * The vocabulary that sets the scene of a test. Everything is made in an organization of its own
 * unless the test gives one.
 */

export interface Home {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
}

/** A user with a key, ready to call the API. */
export class User extends Client {
  readonly organization: Home;
  readonly userId: string;
  readonly keyId: string;
  readonly apiKey: string;

  constructor(organization: Home, issued: { apiKey: string; id: string; userId: string }) {
    super(issued.apiKey);
    this.organization = organization;
    this.userId = issued.userId;
    this.keyId = issued.id;
    this.apiKey = issued.apiKey;
  }
}

interface UserWishes {
  readonly organization?: Home;
  readonly name?: string;
  /** Makes the user, who must be new. So does a zone. */
  readonly role?: Role;
  readonly timeZone?: string;
  readonly scopes?: readonly Scope[];
  readonly rateLimit?: number;
  readonly expiresAt?: string;
  readonly currency?: string;
}

/** High enough that only the tests of the limit reach it. */
const UNLIMITED = 1_000_000;

async function organization(currency = 'USD'): Promise<Home> {
  return { ...(await ensureOrganization(`Organization ${randomUUID()}`, currency)), currency };
}

async function user(wishes: UserWishes = {}): Promise<User> {
  const home = wishes.organization ?? (await organization(wishes.currency));
  const name = wishes.name ?? `User ${randomUUID()}`;
  const { role, timeZone } = wishes;
  const userId =
    role || timeZone
      ? await insertNewUser(home.id, { name, role: role ?? 'admin', timeZone })
      : (await ensureUser(home.id, name, async () => [])).id;
  const issued = await issueApiKey(
    {
      id: uuidV7(),
      name: 'Test',
      organizationId: home.id,
      userId,
      scopes: wishes.scopes ?? SCOPES,
      rateLimit: wishes.rateLimit ?? UNLIMITED,
      expiresAt: wishes.expiresAt ?? null,
      createdByKeyId: null,
    },
    new Date(),
    async () => [],
  );
  return new User(home, issued);
}

/** Who makes organizations, and belongs to none. */
async function platform(scopes: readonly PlatformScope[] = PLATFORM_SCOPES): Promise<Client> {
  return new Client(await platformKey(scopes));
}

async function platformKey(scopes: readonly PlatformScope[] = PLATFORM_SCOPES): Promise<string> {
  const of = { organizationId: PLATFORM_ID, userId: PLATFORM_ID, createdByKeyId: null };
  const limits = { scopes, rateLimit: UNLIMITED, expiresAt: null };
  return (await issueApiKey({ id: uuidV7(), name: 'Platform', ...of, ...limits }, new Date(), async () => [])).apiKey;
}

async function product(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  const reply = await by.post('/products', { name: 'Consulting', price: '120.00', ...values });
  return created(reply);
}

async function client(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  return created(await by.post('/clients', { name: 'Northwind Traders', ...values }));
}

/** Project names are unique. A project gets a unique name unless the test names it. */
async function project(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  return created(await by.post('/v1/work/tracker/projects', { name: `Project ${randomUUID()}`, ...values }));
}

async function entry(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  const defaults = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20' };
  return created(await by.post('/v1/work/tracker/entries', { ...defaults, ...values }));
}

async function timer(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  return created(await by.post('/v1/work/tracker/timer/start', values));
}

/** A user has at most one running timer. If one runs already, it is as good as a new one. */
async function runningTimer(by: Client): Promise<Json> {
  const reply = await by.post('/v1/work/tracker/timer/start');
  return reply.status === 409 ? reply.body.session : created(reply);
}

/** A timer that was started in the past, which the API cannot do. */
async function timerSince(by: User, startedAt: Date, draft: Partial<SessionDraft> = {}): Promise<Session> {
  const owner = { organizationId: by.organization.id, userId: by.userId, currency: by.organization.currency };
  const id = uuidV7({ msecs: startedAt.getTime() });
  const wanted = { description: '', ...draft };
  return startStoredTimer(owner.organizationId, wanted, (links) => newSession(wanted, links, owner, id, startedAt));
}

/** A draft with one line, for a new client unless the test names one. */
async function invoice(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  const clientId = values.clientId ?? (await client(by)).id;
  const lineItems = values.timeEntries ? undefined : [{ name: 'Hosting', price: '49.90' }];
  return created(await by.post('/invoices', { clientId, lineItems, ...values }));
}

async function sentInvoice(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  const { id } = await invoice(by, values);
  return (await by.post(`/invoices/${id}/send`)).body.data;
}

/** The examples of the contract make e-invoices in every format. */
async function eInvoiceDraft(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  const { currency: _, invoiceNumbering: __, ...profile } = updateOrganization.example.body;
  made(await by.patch('/v1/organization', profile), 200);
  const clientId = values.clientId ?? (await client(by, createClient.example.body)).id;
  return invoice(by, { ...createInvoice.example.body, ...values, clientId });
}

async function eInvoice(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  const { id } = await eInvoiceDraft(by, values);
  return (await by.post(`/invoices/${id}/send`)).body.data;
}

/** A payment of a part of what is due. */
async function payment(by: Client, invoiceId: string, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  return created(await by.post(`/invoices/${invoiceId}/payments`, { amount: '1.00', ...values }));
}

/** A credit of all that is left of a sent invoice, unless the test names lines. */
async function creditNote(
  by: Client,
  invoiceId: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<Json> {
  return created(await by.post(`/invoices/${invoiceId}/credit-notes`, { reason: 'Cancelled', ...values }));
}

/** A member, unless the values say otherwise. */
async function colleague(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  return created(await by.post('/v1/users', { name: `User ${randomUUID()}`, ...values }));
}

/** @returns the code that links somebody to a new user */
async function invitation(by: Client): Promise<string> {
  const { id } = await colleague(by);
  return (await by.post(`/v1/users/${id}/invitations`)).body.data.code;
}

/** A key of another user. */
async function keyOf(by: User, userId: string, values: Readonly<Record<string, unknown>> = {}): Promise<User> {
  const wishes = { name: 'Key of another', scopes: SCOPES, userId, ...values };
  const { apiKey, id } = created(await by.post('/v1/api-keys', wishes));
  return new User(by.organization, { apiKey, id, userId });
}

async function apiKey(by: Client, values: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  return created(await by.post('/v1/api-keys', { name: 'Second key', scopes: ['products:read'], ...values }));
}

/** Connects an account of its own at the provider. */
async function connection(by: Client, wishes: AccountWishes = {}): Promise<RemoteAccount> {
  const account = await remoteAccount(wishes);
  const { accessToken, accountId } = account;
  made(await by.post('/v1/work/tracker/remote/connect', { accessToken, accountId }), 200);
  return account;
}

/**
 * An import of one row.
 *
 * @returns the id of the job
 */
async function importJob(by: Client): Promise<string> {
  await connection(by);
  const rows = [{ date: '2026-11-20', durationMinutes: 60 }];
  return made(await by.post('/v1/work/tracker/remote/sync/confirm', { rows }), 200).importJobId;
}

/** Sets a PNG as the logo. */
async function logo(by: Client): Promise<void> {
  made(await by.send('PUT', setLogo.path, LOGO), 200);
}

const created = (reply: Reply): Json => made(reply, 201);

/** @returns what a request has made for the scene */
function made({ status, body }: Reply, expected: number): Json {
  if (status !== expected) throw new Error(`Could not set the scene: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

export const given = {
  organization,
  platform,
  platformKey,
  user,
  product,
  client,
  project,
  entry,
  timer,
  runningTimer,
  timerSince,
  colleague,
  keyOf,
  invitation,
  apiKey,
  remoteAccount,
  connection,
  importJob,
  invoice,
  sentInvoice,
  eInvoiceDraft,
  eInvoice,
  payment,
  creditNote,
  logo,
};
