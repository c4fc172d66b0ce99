import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './errors.ts';
import { type Functions, ThrottledError } from './functions.ts';
import { ACCOUNT, REGION } from './names.ts';
import type { SchedulePlan } from './plans/schedules.ts';

/** EventBridge rules with a schedule. They all have a rate, such as `rate(5 minutes)`: cron expressions are refused. */

const MINUTE_MILLISECONDS = 60_000;
const RATE_MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440 };

/** Lambda's pauses: minutes after a run that failed, and longer and longer ones while no function can take the event. */
const RETRY_SECONDS = 60;

export class Schedule {
  readonly #plan: SchedulePlan;
  readonly #functions: Pick<Functions, 'invoke'>;
  /** These pauses are too long to wait for at a desk. */
  readonly #maximumPauseSeconds: number;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(plan: SchedulePlan, functions: Pick<Functions, 'invoke'>, maximumPauseSeconds: number) {
    this.#plan = plan;
    this.#functions = functions;
    this.#maximumPauseSeconds = maximumPauseSeconds;
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
    this.#stopping.abort();
    clearTimeout(this.#timer);
  }

  /** Sends the event as EventBridge does, and treats it as Lambda does: nobody waits for the result. */
  async fire(time: Date): Promise<void> {
    const { ruleArn, input, retryAttempts, maximumAgeSeconds } = this.#plan;
    const event = input ?? JSON.stringify(eventOf(ruleArn, time));
    const endsAt = Date.now() + maximumAgeSeconds * 1_000;
    let failures = 0;
    for (let throttles = 0; ; ) {
      const outcome = await this.#attempt(event);
      if (outcome === 'failed') failures += 1;
      if (outcome === 'throttled') throttles += 1;
      if (outcome === 'done' || failures > retryAttempts) return;
      const pauseSeconds = outcome === 'failed' ? failures * RETRY_SECONDS : 2 ** throttles;
      if (!(await this.#pause(pauseSeconds)) || Date.now() >= endsAt) return;
    }
  }

  /** The function logs its own failures. */
  async #attempt(event: string): Promise<'done' | 'failed' | 'throttled'> {
    try {
      const { functionError } = await this.#functions.invoke(this.#plan.functionName, event);
      return functionError === undefined ? 'done' : 'failed';
    } catch (error) {
      return error instanceof ThrottledError ? 'throttled' : 'failed';
    }
  }

  /** @returns whether the local cloud goes on */
  async #pause(seconds: number): Promise<boolean> {
    const milliseconds = Math.min(seconds, this.#maximumPauseSeconds) * 1_000;
    const { signal } = this.#stopping;
    return sleep(milliseconds, true, { signal }).catch(() => false);
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
