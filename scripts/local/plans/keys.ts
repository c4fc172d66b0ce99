import * as v from 'valibot';
import type { Resolver } from '../resolve.ts';
import { named, parse } from './properties.ts';

export interface KeyPlan {
  readonly id: string;
  readonly arn: string;
  readonly aliases: readonly string[];
}

export function keyPlans(resolver: Resolver): KeyPlan[] {
  const aliases = resolver
    .resourcesOf('AWS::KMS::Alias')
    .map((resource) => parse(resolver, resource, v.object({ AliasName: v.string(), TargetKeyId: v.string() })));
  return resolver.resourcesOf('AWS::KMS::Key').map((resource) => {
    const { name: id, arn } = named(resolver, resource);
    const own = aliases.filter(({ TargetKeyId }) => TargetKeyId === arn);
    return { id, arn, aliases: own.map(({ AliasName }) => AliasName) };
  });
}
