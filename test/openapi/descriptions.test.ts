import { describe, expect, it } from 'vitest';
import { openApiDocument } from '#shared/openapi/document.ts';
import { isSchema } from '#shared/openapi/page/words.ts';
import type { JsonSchema } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';
import { faultsAt, pointer } from '#test/support/openapi-validator.ts';

/** A reader of the document learns what each member and each parameter means. */

const { paths, components } = openApiDocument(routes);

const componentOf = ({ $ref }: JsonSchema) =>
  typeof $ref === 'string' ? components.schemas[$ref.split('/').at(-1) ?? ''] : undefined;

/** A member that is a component means what the component means, unless it says something of its own. */
const isDescribed = (member: JsonSchema) => isSentence(member.description ?? componentOf(member)?.description);

const isSentence = (text: unknown) => typeof text === 'string' && text.length >= 10 && /[.)]$/.test(text);

const partsOf = (schema: JsonSchema) =>
  [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));

/** @param at where the schema stands @param known members that another part of the same object describes */
function undescribedIn(schema: unknown, at: string, known: ReadonlySet<string> = new Set()): string[] {
  if (!isSchema(schema)) return [];
  const members = Object.entries(isSchema(schema.properties) ? schema.properties : {});
  const described = new Set([...known, ...(Array.isArray(schema.allOf) ? schema.allOf.flatMap(describedIn) : [])]);
  return [
    ...members.flatMap(([name, member]) => {
      const isTold = described.has(name) || (isSchema(member) && isDescribed(member));
      return [...(isTold ? [] : [`${at}.${name}`]), ...undescribedIn(member, `${at}.${name}`)];
    }),
    ...undescribedIn(schema.items, `${at}[]`),
    ...undescribedIn(schema.additionalProperties, `${at}{}`),
    ...partsOf(schema).flatMap((part) => undescribedIn(part, at, described)),
  ];
}

function describedIn(schema: unknown): string[] {
  if (!isSchema(schema)) return [];
  const { properties } = componentOf(schema) ?? schema;
  return Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, member]) =>
    isSchema(member) && isDescribed(member) ? [name] : [],
  );
}

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: operation.operationId,
    at: pointer('paths', path, method),
    operation,
  })),
);

describe('every member is described', () => {
  it.each(Object.entries(components.schemas))('of the schema %s', (name, schema) => {
    expect(undescribedIn(schema, name)).toEqual([]);
  });

  it.each(operations)('of what $name takes and answers', ({ operation: { requestBody, responses } }) => {
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) =>
      part && 'content' in part ? Object.entries(part.content) : [],
    );
    expect(contents.flatMap(([type, { schema }]) => undescribedIn(schema, type))).toEqual([]);
  });

  it.each(Object.entries(components.responses))('of the problem %s', (name, { content }) => {
    expect(Object.values(content).flatMap(({ schema }) => undescribedIn(schema, name))).toEqual([]);
  });
});

describe('every parameter', () => {
  const parameters = operations.flatMap(({ name, at, operation }) =>
    (operation.parameters ?? []).map((parameter, position) => ({
      ...parameter,
      operation: name,
      at: `${at}/parameters/${position}`,
    })),
  );

  it.each(parameters)('is described: $name of $operation', ({ description }) => {
    expect(isSentence(description), description).toBe(true);
  });

  it.each(parameters)('has an example that fits its schema: $name of $operation', ({ at, example }) => {
    expect(example).toBeDefined();
    expect(faultsAt(`${at}/schema`, example)).toEqual([]);
  });
});

describe('every body of JSON', () => {
  const bodies = operations.flatMap(({ name, operation }) =>
    operation.requestBody?.content['application/json'] ? [[name, operation.requestBody] as const] : [],
  );

  it.each(bodies)('is a component with the name of its operation: %s', (name, { content }) => {
    const component = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    expect(content['application/json']?.schema).toEqual({ $ref: `#/components/schemas/${component}` });
    expect(components.schemas).toHaveProperty(component);
  });
});
