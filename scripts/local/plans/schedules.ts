import * as v from 'valibot';
import type { Resolver } from '../resolve.ts';
import { AssemblyError } from '../template.ts';
import { functionNameOf, type InvocationRight } from './functions.ts';
import { named, numeric, parse } from './properties.ts';

const ruleProperties = v.object({
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(v.array(v.object({ Arn: v.string(), Input: v.optional(v.string()) })), []),
});

/** With the defaults of Lambda. */
const invokeConfigProperties = v.object({
  FunctionName: v.string(),
  MaximumRetryAttempts: v.optional(numeric, 2),
  MaximumEventAgeInSeconds: v.optional(numeric, 21_600),
});

/** What Lambda does with an event that nobody waits for. */
export interface AsyncInvocation {
  /** After a run that failed. An event that finds no function is tried again for as long as it may wait. */
  readonly retryAttempts: number;
  readonly maximumAgeSeconds: number;
}

export interface SchedulePlan extends AsyncInvocation {
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
      return { ruleName, ruleArn, expression, functionName, input: Input, ...asyncInvocation(resolver, functionName) };
    });
  });
}

function asyncInvocation(resolver: Resolver, functionName: string): AsyncInvocation {
  const configs = resolver
    .resourcesOf('AWS::Lambda::EventInvokeConfig')
    .map((resource) => parse(resolver, resource, invokeConfigProperties));
  const own = configs.find((config) => functionNameOf(config.FunctionName) === functionName);
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds } =
    own ?? v.parse(invokeConfigProperties, { FunctionName: functionName });
  return { retryAttempts: MaximumRetryAttempts, maximumAgeSeconds: MaximumEventAgeInSeconds };
}
