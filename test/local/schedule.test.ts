import { describe, expect, it } from 'vitest';
import { blueprintOf } from '#scripts/local/blueprint.ts';
import { ThrottledError } from '#scripts/local/functions.ts';
import type { LogLine } from '#scripts/local/logs.ts';
import { Resolver } from '#scripts/local/resolve.ts';
import { nextRun, Schedule } from '#scripts/local/schedule.ts';
import { loadAssembly } from '#scripts/local/template.ts';
import { fixtureAssembly } from '#test/support/fixture-app/assembly.ts';
import { useFixtureCloud } from '#test/support/fixture-app/cloud.ts';

const fixture = useFixtureCloud();

describe('a schedule', () => {
  it.each([
    ['rate(5 minutes)', '2026-11-21T10:00:30.000Z', '2026-11-21T10:05:30.000Z'],
    ['rate(1 day)', '2026-11-21T10:00:00.000Z', '2026-11-22T10:00:00.000Z'],
  ])('%s after %s runs at %s', (expression, now, next) => {
    expect(nextRun(expression, new Date(now)).toISOString()).toBe(next);
  });

  it.each(['rate(0.5 minutes)', 'cron(0/15 * * * ? *)', 'at(2026-11-21)'])('refuses %s', (expression) => {
    expect(() => nextRun(expression, new Date())).toThrow();
  });

  it('sends its target the event of EventBridge', async () => {
    const lines: LogLine[] = [];
    const end = fixture.cloud.logs.subscribe((line) => lines.push(line));
    await fixture.cloud.fireSchedule('ticker', new Date('2026-11-21T10:05:00.000Z'));
    await expect.poll(() => lines.length).toBe(1);
    end();
    expect(lines[0]?.record.event).toMatchObject({
      version: '0',
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: '2026-11-21T10:05:00Z',
      region: 'us-east-1',
      resources: [expect.stringMatching(/^arn:aws:events:us-east-1:000000000000:rule\//)],
      detail: {},
    });
  });
});

const PLAN = {
  ruleName: 'Tick',
  ruleArn: 'arn:aws:events:us-east-1:000000000000:rule/Tick',
  expression: 'rate(5 minutes)',
  functionName: 'ticker',
};

const FAILED = { payload: '{}', functionError: 'Unhandled' } as const;
const DONE = { payload: 'null' } as const;

/** How often a function is called whose runs end like this, one after the other. */
async function callsUntil(
  ends: readonly (typeof FAILED | typeof DONE | 'throttled')[],
  of: { retryAttempts: number; maximumAgeSeconds: number },
): Promise<number> {
  let calls = 0;
  const invoke = async () => {
    const end = ends[calls++] ?? DONE;
    if (end === 'throttled') throw new ThrottledError('All instances are busy.');
    return end;
  };
  await new Schedule({ ...PLAN, ...of }, { invoke }, 0).fire(new Date());
  return calls;
}

describe('an event of a schedule, for which nobody waits', () => {
  const patient = { retryAttempts: 2, maximumAgeSeconds: 21_600 };

  it('is treated as Lambda does, where the stack says nothing', async () => {
    const assembly = loadAssembly(await fixtureAssembly());
    const { schedules } = blueprintOf(new Resolver(assembly));
    expect(schedules).toMatchObject([patient]);
  });

  it('is tried again as often as the stack says', async () => {
    expect(await callsUntil([FAILED, FAILED, FAILED, FAILED], patient)).toBe(3);
    expect(await callsUntil([FAILED, FAILED], { ...patient, retryAttempts: 0 })).toBe(1);
    expect(await callsUntil([FAILED], patient)).toBe(2);
    expect(await callsUntil([], patient)).toBe(1);
  });

  it('waits for a function until it is too old', async () => {
    expect(await callsUntil(['throttled', 'throttled', 'throttled'], { ...patient, retryAttempts: 0 })).toBe(4);
    expect(await callsUntil(['throttled', 'throttled'], { retryAttempts: 0, maximumAgeSeconds: 0 })).toBe(1);
  });
});
