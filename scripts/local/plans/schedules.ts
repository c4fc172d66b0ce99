import * as v from 'valibot';
import type { Resolver } from '../resolve.ts';
import { AssemblyError } from '../template.ts';
import { functionNameOf, type InvocationRight } from './functions.ts';
import { named, parse } from './properties.ts';

const ruleProperties = v.object({
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(v.array(v.object({ Arn: v.string(), Input: v.optional(v.string()) })), []),
});

export interface SchedulePlan {
  readonly ruleName: string;
  readonly ruleArn: string;
  readonly expression: string;
  readonly functionName: string;
  /** Replaces the event, if the rule says so. */
  readonly input?: string;
}

export function schedulePlans(resolver: Resolver, isInvokable: InvocationRight): SchedulePlan[] {
  return resolver.resourcesOf('AWS::Events::Rule').flatMap((resource) => {
    const { name: ruleName, arn: ruleArn } = named(resolver, resource);
    const { ScheduleExpression: expression, State, Targets } = parse(resolver, resource, ruleProperties);
    if (expression === undefined || State !== 'ENABLED') return [];
    return Targets.map(({ Arn, Input }) => {
      const functionName = functionNameOf(Arn);
      if (!isInvokable(functionName, 'events.amazonaws.com', ruleArn)) {
        throw new AssemblyError(`The rule ${ruleName} may not invoke ${functionName}.`);
      }
      return { ruleName, ruleArn, expression, functionName, input: Input };
    });
  });
}
