import { describe, expect, it } from 'vitest';
import type { LogLine } from '#scripts/local/logs.ts';
import { nextRun } from '#scripts/local/schedule.ts';
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
