import * as v from 'valibot';
import type { Resolver } from '../resolve.ts';
import { AssemblyError, type Resource } from '../template.ts';

/** The properties of a resource, in the types that CloudFormation takes: it often has texts for numbers. */

export const numeric = v.pipe(v.union([v.number(), v.string()]), v.transform(Number));
export const flag = v.pipe(
  v.union([v.boolean(), v.string()]),
  v.transform((value) => String(value) === 'true'),
);

export function parse<const Schema extends v.GenericSchema>(
  resolver: Resolver,
  resource: Resource,
  schema: Schema,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, resolver.propertiesOf(resource));
  if (result.success) return result.output;
  const complaints = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; ');
  throw new AssemblyError(`${resource.stack.name}/${resource.logicalId} (${resource.type}): ${complaints}`);
}

export function named(resolver: Resolver, resource: Resource): { name: string; arn: string } {
  const { ref, attributes } = resolver.physicalIdOf(resource);
  return { name: ref, arn: attributes.Arn ?? ref };
}
