import * as v from 'valibot';
import { type Endpoint, parameterNames } from '#shared/contract/endpoint.ts';
import { headerParameters } from './headers.ts';
import type { SchemaRegistry } from './schemas.ts';
import type { JsonSchema, Parameter } from './types.ts';

/** The ids in the contract's examples. */
export const EXAMPLE_IDS = {
  productId: '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61',
  clientId: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
  invoiceId: '019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61',
  creditNoteId: '019aa5d0-2c00-7c3d-8e4f-1a2b3c4d5e6f',
  paymentId: '019aa3ac-6400-7d17-b0c4-9e8f7a6b5c4d',
  projectId: '019aa2f4-8200-7f66-a4b5-3d2e1f0a9b8c',
  entryId: '019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61',
  sessionId: '019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a',
  importId: '019aa2f4-9c00-7b1d-a6c3-8d2e4f5a6b7c',
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  keyId: '019aa2f5-1100-7c0a-8e21-5a6b7c8d9e0f',
  webhookId: '019aa2f5-3000-7a10-8b1c-2d3e4f5a6b7c',
};

const idsByName: Readonly<Record<string, string>> = EXAMPLE_IDS;

export function parametersOf(endpoint: Endpoint, schemas: SchemaRegistry): Parameter[] {
  return [...pathParameters(endpoint), ...queryParameters(endpoint, schemas), ...headerParameters(endpoint)];
}

/** Parameters of paths, by the segment before them. */
const NAMED: Readonly<Record<string, { readonly description: string; readonly example: string }>> = {
  products: { description: 'The id of the product.', example: EXAMPLE_IDS.productId },
  clients: { description: 'The id of the client.', example: EXAMPLE_IDS.clientId },
  invoices: { description: 'The id of the invoice.', example: EXAMPLE_IDS.invoiceId },
  'credit-notes': { description: 'The id of the credit note.', example: EXAMPLE_IDS.creditNoteId },
  payments: { description: 'The id of the payment.', example: EXAMPLE_IDS.paymentId },
  projects: { description: 'The id of the project.', example: EXAMPLE_IDS.projectId },
  entries: { description: 'The id of the work entry.', example: EXAMPLE_IDS.entryId },
  timer: { description: 'The id of the timer session.', example: EXAMPLE_IDS.sessionId },
  history: { description: 'The id of the import.', example: EXAMPLE_IDS.importId },
  users: { description: 'The id of the user.', example: EXAMPLE_IDS.userId },
  organizations: { description: 'The id of the organization.', example: EXAMPLE_IDS.organizationId },
  'api-keys': { description: 'The id of the key, not the key itself.', example: EXAMPLE_IDS.keyId },
  webhooks: { description: 'The id of the webhook.', example: EXAMPLE_IDS.webhookId },
  docs: { description: 'The name of the file.', example: 'reference.js' },
  problems: { description: 'The `code` of the problem.', example: 'not_found' },
};

export function pathParameters({ path, pathPatterns }: Endpoint): Parameter[] {
  const segments = path.split('/');
  return parameterNames(path).map((name) => {
    const pattern = pathPatterns?.[name]?.source;
    const schema = pattern ? { type: 'string', pattern } : { type: 'string', format: 'uuid' };
    const before = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
    return { name, in: 'path', required: true, ...NAMED[before], schema };
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
    example: exampleOf(name, schema, examples),
  }));
}

const objectSchema = v.object({
  properties: v.record(v.string(), v.record(v.string(), v.unknown())),
  required: v.optional(v.array(v.string()), []),
});

export function membersOf(schema: JsonSchema): v.InferOutput<typeof objectSchema> {
  return v.parse(objectSchema, schema);
}

/** The example of the contract, else the default, else the first value, else an id. */
function exampleOf(name: string, schema: JsonSchema, examples: unknown): unknown {
  if (Array.isArray(examples)) return examples[0];
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  return schema.type === 'boolean' ? true : idsByName[name];
}
