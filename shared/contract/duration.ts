import * as v from 'valibot';
import { MAX_DURATION_MINUTES } from '#shared/domain/tracker/entry.ts';
import { minutesIn } from '#shared/domain/tracker/work-time.ts';
import { advising } from './rule.ts';

/** Callers often send what people type: `1h 30m`. */
const durationNumber = advising(v.number(), (sent) => {
  const minutes = typeof sent === 'string' ? minutesIn(sent) : undefined;
  return minutes === undefined ? '' : `Send the number of minutes: ${minutes}.`;
});

export const durationInput = v.pipe(durationNumber, v.integer(), v.minValue(1), v.maxValue(MAX_DURATION_MINUTES));
