import { openApiDocument } from '#shared/openapi/document.ts';
import type { JsonSchema } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';

/**
 * The members that a body may have, as the document describes them: what a test has to try follows from the contract.
 */

const { paths, components } = openApiDocument(routes);

export interface Member {
  /** As in a fault: `lineItems.0.name` */
  readonly path: string;
  readonly schema: JsonSchema;
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** All members that are no objects. Of a list, those of its first item. */
export function membersOf(operationId: string): Member[] {
  const operation = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find((each) => each.operationId === operationId);
  return leavesOf(operation?.requestBody?.content['application/json']?.schema, '');
}

function leavesOf(schema: unknown, path: string): Member[] {
  if (!isSchema(schema)) return [];
  const { $ref, properties, items } = schema;
  if (typeof $ref === 'string') return leavesOf(components.schemas[$ref.split('/').at(-1) ?? ''], path);
  const inner = (name: string | number) => (path === '' ? `${name}` : `${path}.${name}`);
  if (isSchema(properties))
    return Object.entries(properties).flatMap(([name, member]) => leavesOf(member, inner(name)));
  if (isSchema(items)) return leavesOf(items, inner(0));
  return [{ path, schema }];
}

/** A body that has these values at their paths, beside what `base` has. Objects and lists on the way are made. */
export function bodyWith(base: object, values: Readonly<Record<string, unknown>>): object {
  const body: unknown = structuredClone(base);
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place = body;
    for (const [position, name] of names.entries()) {
      if (!isSchema(place)) break;
      const made = /^\d+$/.test(names[position + 1] ?? last) ? [] : {};
      if (!isSchema(place[name])) Object.assign(place, { [name]: made });
      place = place[name];
    }
    if (isSchema(place)) Object.assign(place, { [last]: value });
  }
  return isSchema(body) ? body : {};
}
