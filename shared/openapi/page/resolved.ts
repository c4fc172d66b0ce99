import { isSchema as isObject } from './words.ts';

/** Replaces references by the parts of the document that they name. */
export function resolved(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, document));
  if (!isObject(value)) return value;
  const { $ref, ...own } = value;
  const members = Object.entries(own).map(([name, member]) => [name, resolved(member, document)] as const);
  const rest = Object.fromEntries(members);
  if (typeof $ref !== 'string') return rest;
  return Object.assign({}, resolved(named($ref, document), document), rest);
}

/** `#/components/schemas/Invoice` */
function named(reference: string, document: unknown): unknown {
  const steps = reference.slice('#/'.length).split('/');
  return steps.reduce((node, step) => (isObject(node) ? node[step] : undefined), document);
}
