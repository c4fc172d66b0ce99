import { type ApiPlan, apiPlans } from './plans/apis.ts';
import { type FunctionPlan, functionPlans, invocationRights } from './plans/functions.ts';
import { type KeyPlan, keyPlans } from './plans/keys.ts';
import { type EventSourcePlan, eventSourcePlans, type QueuePlan, queuePlans } from './plans/queues.ts';
import { type SchedulePlan, schedulePlans } from './plans/schedules.ts';
import { type TablePlan, tablePlans } from './plans/tables.ts';
import type { Resolver } from './resolve.ts';

/** Made from the resources of the stacks, and from nothing else. */
export interface Blueprint {
  readonly tables: readonly TablePlan[];
  readonly queues: readonly QueuePlan[];
  readonly keys: readonly KeyPlan[];
  readonly functions: readonly FunctionPlan[];
  readonly apis: readonly ApiPlan[];
  readonly eventSources: readonly EventSourcePlan[];
  readonly schedules: readonly SchedulePlan[];
}

export function blueprintOf(resolver: Resolver): Blueprint {
  const queues = queuePlans(resolver);
  const isInvokable = invocationRights(resolver);
  return {
    tables: tablePlans(resolver),
    queues,
    keys: keyPlans(resolver),
    functions: functionPlans(resolver),
    apis: apiPlans(resolver, isInvokable),
    eventSources: eventSourcePlans(resolver, queues),
    schedules: schedulePlans(resolver, isInvokable),
  };
}
