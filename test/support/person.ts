import { randomUUID } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { localIssuer } from '#scripts/demo/issuer.ts';
import type { NamedOrganization } from '#shared/data/organization/organizations.ts';
import { insertUser } from '#shared/data/organization/users.ts';
import { newUser, type UserDraft } from '#shared/domain/organization/users.ts';
import type { Role } from '#shared/domain/role.ts';
import { Client, type Json, type Reply, type Sending } from './client.ts';

/** A person who has signed in, and acts in an organization, if one is named. */
export class Person extends Client {
  readonly token: string;
  readonly #organizationId: string | undefined;

  constructor(token: string, organizationId?: string) {
    super(token);
    this.token = token;
    this.#organizationId = organizationId;
  }

  override send(method: string, path: string, sending: Sending = {}): Promise<Reply> {
    const id = this.#organizationId;
    const headers = { ...(id !== undefined && { 'billwright-organization': id }), ...sending.headers };
    return super.send(method, path, { ...sending, headers });
  }

  in(organizationId: string): Person {
    return new Person(this.token, organizationId);
  }
}

/** At the issuer of the local cloud that the test works on. */
export function signIn(email: string, claims: Json = {}): Person {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const token = localIssuer(process.env.ISSUER_DIR ?? '').tokenOf({
    sub: email,
    email,
    email_verified: true,
    exp,
    ...claims,
  });
  return new Person(token);
}

export const newEmail = () => `${randomUUID()}@example.com`;

/** @returns the id of the user */
export async function insertNewUser(organizationId: string, draft: UserDraft, id = uuidV7()): Promise<string> {
  await insertUser(organizationId, newUser(draft, id, new Date()), 'name', []);
  return id;
}

/** @returns the id of the user */
export function addUser(organization: NamedOrganization, email: string, role: Role = 'admin'): Promise<string> {
  const id = uuidV7();
  return insertNewUser(organization.id, { name: `User ${id}`, email, role }, id);
}

/** A new user with an email, signed in and linked. */
export async function newPerson(organization: NamedOrganization, role: Role, claims?: Json): Promise<Person> {
  const email = newEmail();
  await addUser(organization, email, role);
  const person = signIn(email, claims);
  await person.in(organization.id).get('/v1/me');
  return person;
}
