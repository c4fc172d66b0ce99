import type { GenericSchema } from 'valibot';
import type { Area, Endpoint } from '#shared/contract/endpoint.ts';
import { SERVICE } from '#shared/contract/meta/service.ts';
import { headerComponents } from './headers.ts';
import { introduction } from './introduction.ts';
import { envelopeSchemas, operation, securitySchemes, sharedResponses } from './operation.ts';
import { problemComponents, problemEntries, problemExamples, problemMembers, problemSchemas } from './problems.ts';
import { schemaRegistry } from './schemas.ts';
import type { Operation, PathItem } from './types.ts';

const AREAS: Readonly<Record<Area, string>> = {
  products: 'The catalog of products and their prices. Invoice lines keep a copy of a product.',
  clients: 'The customers who are billed.',
  invoices: 'Drafts, sent, paid, credited and void invoices, and their credit notes: as JSON, PDF and e-invoices.',
  tracker: 'Projects, work entries and timers.',
  remote: 'Import of work from another time tracker.',
  events: 'What has happened, in one order for all who read it.',
  keys: 'API keys of the organization.',
  organization: 'The organization, its users, and the current caller.',
  meta: 'The service itself. These operations need no key.',
};

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

export function openApiDocument(routes: readonly Endpoint[]) {
  const schemas = schemaRegistry(
    routes.flatMap((route) => [...responseSchemas(route), ...problemMembers(route).map(({ schema }) => schema)]),
  );
  const problems = problemComponents(routes, schemas);
  const paths = pathItems(routes, (endpoint) => operation(endpoint, schemas, problems));
  return {
    openapi: '3.1.1',
    info: {
      title: SERVICE.name,
      version: SERVICE.version,
      summary: 'Invoicing and time tracking over HTTP.',
      description: introduction(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The host of this document.' }],
    tags: tags(routes),
    paths,
    components: {
      securitySchemes,
      headers: headerComponents,
      responses: { ...sharedResponses, ...Object.fromEntries(problems) },
      examples: problemExamples(routes),
      schemas: { ...envelopeSchemas, ...problemSchemas, ...schemas.components() },
    },
    'x-problems': problemEntries(routes),
  };
}

function responseSchemas({ response }: Endpoint): GenericSchema[] {
  if ('schema' in response) return [response.schema];
  return 'item' in response ? [response.item] : [];
}

function tags(routes: readonly Endpoint[]) {
  const areas = new Set(routes.map(({ area }) => area));
  return [...areas].map((area) => ({ name: area, description: AREAS[area] }));
}

function pathItems(routes: readonly Endpoint[], describe: (endpoint: Endpoint) => Operation): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const endpoint of routes) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: describe(endpoint) };
  }
  return paths;
}
