import { describe, expect, it } from 'vitest';
import { FILLED_TEXT_PATTERN, NAME_PATTERN, TEXT_PATTERN } from '#shared/contract/fields.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { resolved } from '#shared/openapi/page/resolved.ts';
import { isSchema } from '#shared/openapi/page/words.ts';
import type { JsonSchema } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';

/** What a caller may send is bounded in every part, so that no request grows beyond what its endpoint is made for. */

const document = openApiDocument(routes);

const ANY_TEXT: readonly unknown[] = [undefined, TEXT_PATTERN, FILLED_TEXT_PATTERN, NAME_PATTERN];

/** A text is bounded by its length, or by what it can be at all. */
const isBoundedText = ({ maxLength, format, pattern, enum: values }: JsonSchema) =>
  [maxLength, format, values].some((bound) => bound !== undefined) || !ANY_TEXT.includes(pattern);

function unboundedIn(schema: unknown, at: string): string[] {
  if (!isSchema(schema)) return [];
  const { type, const: constant } = schema;
  const types = Array.isArray(type) ? type : [type];
  const isWithoutBound =
    (types.includes('array') && schema.maxItems === undefined) ||
    (types.includes('string') && constant === undefined && !isBoundedText(schema)) ||
    (types.includes('object') && isSchema(schema.additionalProperties) && schema.maxProperties === undefined);
  const members = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [
    ...(isWithoutBound ? [at] : []),
    ...members.flatMap(([name, member]) => unboundedIn(member, `${at}.${name}`)),
    ...unboundedIn(schema.items, `${at}[]`),
    ...unboundedIn(schema.additionalProperties, `${at}{}`),
    ...alternatives.flatMap((alternative) => unboundedIn(alternative, at)),
  ];
}

const bodies = Object.values(document.paths).flatMap((item) =>
  Object.values(item).flatMap(({ operationId, requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => [operationId, resolved(schema, document)] as const),
  ),
);

describe('the body of', () => {
  it.each(bodies)('%s has no list, text or mapping without a greatest length', (operationId, schema) => {
    expect(unboundedIn(schema, operationId)).toEqual([]);
  });
});
