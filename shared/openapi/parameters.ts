import * as v from 'valibot';
import { type Endpoint, parameterNames } from '#shared/contract/endpoint.ts';
import { headerParameters } from './headers.ts';
import type { SchemaRegistry } from './schemas.ts';
import type { JsonSchema, Parameter } from './types.ts';

export const EXAMPLE_ID = '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61';

export function parametersOf(endpoint: Endpoint, schemas: SchemaRegistry): Parameter[] {
  return [...pathParameters(endpoint), ...queryParameters(endpoint, schemas), ...headerParameters(endpoint)];
}

/** Parameters of paths, by the segment before them. */
const NAMED: Readonly<Record<string, { readonly description: string; readonly example?: string }>> = {
  products: { description: 'The id of the product.' },
  clients: { description: 'The id of the client.' },
  invoices: { description: 'The id of the invoice.' },
  'credit-notes': { description: 'The id of the credit note.' },
  payments: { description: 'The id of the payment.' },
  projects: { description: 'The id of the project.' },
  entries: { description: 'The id of the work entry.' },
  timer: { description: 'The id of the timer session.' },
  history: { description: 'The id of the import.' },
  users: { description: 'The id of the user.' },
  organizations: { description: 'The id of the organization.' },
  'api-keys': { description: 'The id of the key, not the key itself.' },
  docs: { description: 'The name of the file.', example: 'reference.js' },
  problems: { description: 'The `code` of the problem.', example: 'not_found' },
};

function pathParameters({ path, pathPatterns }: Endpoint): Parameter[] {
  const segments = path.split('/');
  return parameterNames(path).map((name) => {
    const pattern = pathPatterns?.[name]?.source;
    const schema = pattern ? { type: 'string', pattern } : { type: 'string', format: 'uuid' };
    const before = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
    return { name, in: 'path', required: true, example: EXAMPLE_ID, ...NAMED[before], schema };
  });
}

function queryParameters({ query }: Endpoint, schemas: SchemaRegistry): Parameter[] {
  if (!query) return [];
  const { properties, required } = membersOf(schemas.ofInput(query));
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema,
    example: exampleOf(schema, examples),
  }));
}

const objectSchema = v.object({
  properties: v.record(v.string(), v.record(v.string(), v.unknown())),
  required: v.optional(v.array(v.string()), []),
});

export function membersOf(schema: JsonSchema): v.InferOutput<typeof objectSchema> {
  return v.parse(objectSchema, schema);
}

/** The example of the contract, else the default, else the first value. */
function exampleOf(schema: JsonSchema, examples: unknown): unknown {
  if (Array.isArray(examples)) return examples[0];
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  return schema.type === 'boolean' ? true : EXAMPLE_ID;
}
