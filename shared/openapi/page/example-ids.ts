import { PLATFORM_SCOPES } from '#shared/domain/keys/scopes.ts';
import type { OpenApiDocument, Operation } from '../types.ts';

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

/** The id in a path is that of the resource in the list above it. */
export function withOwnId(operation: Operation, path: string, ids: Readonly<Record<string, string>>): Operation {
  const own = ids[path.split('/{', 1)[0] ?? ''];
  if (own === undefined) return operation;
  const parameters = operation.parameters?.map((parameter) =>
    parameter.in === 'path' ? { ...parameter, example: own } : parameter,
  );
  return { ...operation, parameters };
}
