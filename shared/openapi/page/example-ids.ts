import { PLATFORM_SCOPES } from '#shared/domain/keys/scopes.ts';
import type { OpenApiDocument } from '../document.ts';
import type { Operation } from '../types.ts';

/** The id in the example of each list that a key of an organization can read as it is, by the path of the list. */
export function listedIds({ paths }: OpenApiDocument): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, { get }]) => {
      const parameters = get?.parameters ?? [];
      const isPlain = parameters.some(({ name }) => name === 'limit') && !parameters.some(({ required }) => required);
      const id = get && isPlain && !isOfPlatform(get) ? idIn(get) : undefined;
      return id === undefined ? [] : [[path, id]];
    }),
  );
}

const isOfPlatform = ({ security }: Operation): boolean =>
  security.some(({ apiKey = [] }) => apiKey.some((scope) => PLATFORM_SCOPES.some((each) => each === scope)));

function idIn({ responses: { 200: response } }: Operation): string | undefined {
  const { example, examples } = (response && 'content' in response && response.content['application/json']) || {};
  const offset = examples?.offset;
  const { data } = ((offset && 'value' in offset ? offset.value : example) ?? {}) as { data?: unknown };
  const id = Array.isArray(data) ? data[0]?.id : undefined;
  return typeof id === 'string' ? id : undefined;
}
