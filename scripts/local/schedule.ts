import { randomUUID } from 'node:crypto';
import { StartError } from './errors.ts';
import type { Functions } from './functions.ts';
import { ACCOUNT, REGION } from './names.ts';
import type { SchedulePlan } from './plans/schedules.ts';

/** EventBridge rules with a schedule. They all have a rate, such as `rate(5 minutes)`: cron expressions are refused. */

const MINUTE_MILLISECONDS = 60_000;
const RATE_MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440 };

export class Schedule {
  readonly #plan: SchedulePlan;
  readonly #functions: Functions;
  #timer: NodeJS.Timeout | undefined;

  constructor(plan: SchedulePlan, functions: Functions) {
    this.#plan = plan;
    this.#functions = functions;
    nextRun(plan.expression, new Date());
  }

  start(): void {
    const wait = nextRun(this.#plan.expression, new Date()).getTime() - Date.now();
    this.#timer = setTimeout(() => {
      this.start();
      void this.fire(new Date());
    }, wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Invokes the target as EventBridge does. The function logs its own failures, and the next run comes anyway. */
  async fire(time: Date): Promise<void> {
    const { functionName, ruleArn, input } = this.#plan;
    await this.#functions.invoke(functionName, input ?? JSON.stringify(eventOf(ruleArn, time))).catch(() => undefined);
  }
}

function eventOf(ruleArn: string, time: Date): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    time: `${time.toISOString().slice(0, 19)}Z`,
    region: REGION,
    resources: [ruleArn],
    detail: {},
  };
}

/** One period after `now`. */
export function nextRun(expression: string, now: Date): Date {
  const [, amount, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMinutes = RATE_MINUTES[unit];
  if (unitMinutes === undefined)
    throw new StartError(`The local cloud knows schedules with a rate, not ${expression}.`);
  return new Date(now.getTime() + Number(amount) * unitMinutes * MINUTE_MILLISECONDS);
}
