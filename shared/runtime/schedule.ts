import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { withDeadline } from './deadline.ts';
import { logger } from './logger.ts';

/** The scheduled time of EventBridge's event. */
const tick = v.object({ time: v.pipe(v.string(), v.isoTimestamp()) });

type ScheduledHandler = (event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>) => Promise<void>;

/** Takes the event's time as `now`, so it can be run for any time. */
export function onSchedule(name: string, run: (now: Date) => Promise<void>): ScheduledHandler {
  return async (event, context) => {
    const startedAt = Date.now();
    await withDeadline(context.getRemainingTimeInMillis(), () => run(new Date(v.parse(tick, event).time)));
    logger.info('schedule', { schedule: name, durationMilliseconds: Date.now() - startedAt });
  };
}
