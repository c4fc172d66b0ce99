import { isDeepStrictEqual } from 'node:util';
import type { ObjectEntries } from 'valibot';
import { type Endpoint, entriesOf } from '#shared/contract/endpoint.ts';

export const IGNORED_HEADER = 'billwright-ignored';

const MAX_NAMES = 10;
const MAX_NAME_CHARACTERS = 40;

export type Members = Readonly<Record<string, unknown>>;

/**
 * The parameters and the top members of a body that the contract does not take: `query.page, body.emial`. Members of
 * the resource that only the service sets are no mistake, because callers send back what they have read. A PATCH that
 * sends another value than theirs wants what it does not get.
 *
 * @param before the resource before a PATCH that {@link setsOwned}
 * @returns undefined if there are none
 */
export function ignoredNames(endpoint: Endpoint, query: Members, body: unknown, before?: Members): string | undefined {
  const names = [
    ...unknownNames(query, entriesOf(endpoint.query)).map((name) => ['query', name] as const),
    ...unknownNames(body, { ...ownedBy(endpoint), ...entriesOf(endpoint.body) }).map((name) => ['body', name] as const),
    ...(before ? changedNames(endpoint, body, before) : []).map((name) => ['body', name] as const),
  ];
  const told = names.slice(0, MAX_NAMES).map(([part, name]) => `${part}.${encoded(name)}`);
  return told.length > 0 ? told.join(', ') : undefined;
}

/** Whether the body of a PATCH has members of the resource that only the service sets. */
export function setsOwned(endpoint: Endpoint, body: unknown): boolean {
  return endpoint.method === 'PATCH' && Object.keys(membersOf(body)).some((name) => isOwned(endpoint, name));
}

function changedNames(endpoint: Endpoint, body: unknown, before: Members): string[] {
  const sent = Object.entries(membersOf(body)).filter(([name]) => isOwned(endpoint, name));
  return sent.filter(([name, value]) => !isDeepStrictEqual(value, before[name])).map(([name]) => name);
}

const isOwned = (endpoint: Endpoint, name: string): boolean =>
  Object.hasOwn(ownedBy(endpoint), name) && !Object.hasOwn(entriesOf(endpoint.body), name);

/** The members that the resource shows, where the operation takes some. */
function ownedBy({ body, response }: Endpoint): ObjectEntries {
  return Object.keys(entriesOf(body)).length > 0 && 'schema' in response ? entriesOf(response.schema) : {};
}

function unknownNames(sent: unknown, known: ObjectEntries): string[] {
  return Object.keys(membersOf(sent)).filter((name) => !Object.hasOwn(known, name));
}

function membersOf(sent: unknown): Members {
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  return isObject ? (sent as Members) : {};
}

/** A character has at most two parts. Half of one has no encoding. */
function encoded(name: string): string {
  const characters = [...name.slice(0, 2 * MAX_NAME_CHARACTERS)].slice(0, MAX_NAME_CHARACTERS);
  return encodeURIComponent(characters.join('').toWellFormed());
}
