import { randomUUID } from 'node:crypto';
import type { SchedulePlan } from './blueprint.ts';
import { StartError } from './errors.ts';
import type { Functions } from './functions.ts';
import { ACCOUNT, REGION } from './names.ts';

/** EventBridge rules with a schedule: `rate(5 minutes)`, or a cron expression of EventBridge's six fields, in UTC. */

const MINUTE_MILLISECONDS = 60_000;
const RATE_MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

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

/** The first full minute after `now` at which the expression asks for a run. For a rate: one period from now. */
export function nextRun(expression: string, now: Date): Date {
  const [, amount, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMinutes = RATE_MINUTES[unit];
  if (unitMinutes !== undefined) return new Date(now.getTime() + Number(amount) * unitMinutes * MINUTE_MILLISECONDS);
  const matches = cronMatcher(expression);
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MILLISECONDS) * MINUTE_MILLISECONDS);
  const daysOfFourYears = 1_461;
  for (let ahead = 1; ahead <= daysOfFourYears * 1_440; ahead++) {
    const candidate = new Date(minute.getTime() + ahead * MINUTE_MILLISECONDS);
    if (matches(candidate)) return candidate;
  }
  throw new StartError(`The schedule ${expression} never runs.`);
}

function cronMatcher(expression: string): (time: Date) => boolean {
  const fields = /^cron\((.*)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (fields?.length !== 6) throw new StartError(`The schedule ${expression} is neither a rate nor a cron expression.`);
  const [minutes, hours, days, months, weekdays, years] = fields.map(fieldMatcher);
  return (time) =>
    [
      minutes?.(time.getUTCMinutes()),
      hours?.(time.getUTCHours()),
      days?.(time.getUTCDate()),
      months?.(time.getUTCMonth() + 1),
      // EventBridge counts weekdays from 1, Sunday.
      weekdays?.(time.getUTCDay() + 1),
      years?.(time.getUTCFullYear()),
    ].every(Boolean);
}

/** One field: `*`, `?`, numbers or names, ranges `a-b`, steps `a/n`, and lists of these. */
function fieldMatcher(field: string): (value: number) => boolean {
  const parts = field.toUpperCase().split(',').map(partMatcher);
  return (value) => parts.some((matches) => matches(value));
}

function partMatcher(part: string): (value: number) => boolean {
  const [range = '', step] = part.split('/');
  const [first = '', last] = range.split('-');
  const isAny = first === '*' || first === '?';
  const from = isAny ? 0 : numberOf(first);
  const openEnd = isAny || step !== undefined ? Number.POSITIVE_INFINITY : from;
  const to = last === undefined ? openEnd : numberOf(last);
  return (value) => value >= from && value <= to && (value - from) % Number(step ?? 1) === 0;
}

function numberOf(text: string): number {
  const month = MONTHS.indexOf(text);
  const weekday = WEEKDAYS.indexOf(text);
  if (month >= 0) return month + 1;
  if (weekday >= 0) return weekday + 1;
  if (/^\d+$/.test(text)) return Number(text);
  throw new StartError(`The local cloud cannot read ${text} in a cron expression.`);
}
