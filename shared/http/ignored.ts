import type { ObjectEntries } from 'valibot';
import { type Endpoint, entriesOf } from '#shared/contract/endpoint.ts';

export const IGNORED_HEADER = 'billwright-ignored';

const MAX_NAMES = 10;
const MAX_NAME_CHARACTERS = 40;

/**
 * The parameters and the top members of a body that the contract does not take: `query.page, body.emial`. Members of
 * the resource that only the service sets are no mistake, because callers send back what they have read.
 *
 * @returns undefined if there are none
 */
export function ignoredNames(
  { query: parameters, body: members, response }: Endpoint,
  query: Readonly<Record<string, unknown>>,
  body: unknown,
): string | undefined {
  const taken = entriesOf(members);
  const shown = Object.keys(taken).length > 0 && 'schema' in response ? entriesOf(response.schema) : {};
  const names = [
    ...unknownNames(query, entriesOf(parameters)).map((name) => ['query', name] as const),
    ...unknownNames(body, { ...shown, ...taken }).map((name) => ['body', name] as const),
  ];
  const told = names.slice(0, MAX_NAMES).map(([part, name]) => `${part}.${encoded(name)}`);
  return told.length > 0 ? told.join(', ') : undefined;
}

function unknownNames(sent: unknown, known: ObjectEntries): string[] {
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  return isObject ? Object.keys(sent).filter((name) => !Object.hasOwn(known, name)) : [];
}

/** A character has at most two parts. Half of one has no encoding. */
function encoded(name: string): string {
  const characters = [...name.slice(0, 2 * MAX_NAME_CHARACTERS)].slice(0, MAX_NAME_CHARACTERS);
  return encodeURIComponent(characters.join('').toWellFormed());
}
