import { type App, Stack, Tags } from 'aws-cdk-lib';
import { readCalls } from './calls.ts';
import { readConfig } from './config.ts';
import { HouseBudget } from './constructs/house-budget.ts';
import type { Tables } from './functions.ts';
import type { Platform } from './platform.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { ObservabilityStack } from './stacks/observability-stack.ts';
import { QueueStack } from './stacks/queue-stack.ts';
import { ScheduleStack } from './stacks/schedule-stack.ts';

export interface BillwrightProps extends Tables {
  /** Holds `<area>/<name>/` for each function, and `calls.json`. */
  readonly bundles: string;
}

/** CloudFormation takes no empty stack. */
export function defineBillwright(app: App, { routes, queues, schedules, access, bundles }: BillwrightProps): void {
  const config = readConfig((name) => app.node.tryGetContext(name));
  const named = (name: string) => `${config.prefix}-${name}`;
  const data = new DataStack(app, named('data'), { config });
  const { table, secretsKey } = data;
  const queueNames = queues.map(({ name }) => name);
  const calls = readCalls(bundles);
  const platform: Platform = { config, bundles, calls, access, table, secretsKey, queueNames };
  const queueStack = queues.length > 0 ? new QueueStack(app, named('queue'), { queues, platform }) : undefined;
  const apiStack = new ApiStack(app, named('api'), { routes, platform });
  const scheduleStack =
    schedules.length > 0 ? new ScheduleStack(app, named('sync'), { schedules, platform }) : undefined;
  // The stacks name the queues by text, so that CDK does not see the order.
  if (queueStack) for (const sender of [apiStack, scheduleStack]) sender?.addStackDependency(queueStack);
  const observability = new ObservabilityStack(app, named('observability'), {
    config,
    routes,
    table,
    api: apiStack.api,
    queues: queueStack?.houseQueues ?? [],
    schedules: scheduleStack?.schedules ?? [],
  });
  const { alarmEmail, monthlyBudgetDollars } = config;
  if (alarmEmail) new HouseBudget(observability, { monthlyDollars: monthlyBudgetDollars, email: alarmEmail });
  Tags.of(app).add('stage', config.stage);
  for (const stack of app.node.children.filter(Stack.isStack)) {
    Tags.of(stack).add('area', stack.stackName.slice(named('').length));
  }
}
