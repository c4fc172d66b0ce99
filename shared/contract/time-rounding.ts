import * as v from 'valibot';
import { integerFrom } from '#shared/contract/fields.ts';
import { MAX_MINIMUM_MINUTES, ROUNDING_MODES, ROUNDING_STEPS } from '#shared/domain/time-rounding.ts';
import { described, explained } from './meaning.ts';

/** The rule of a project or an organization. */

const step = v.picklist(ROUNDING_STEPS);

const mode = v.picklist(ROUNDING_MODES);

const minimum = integerFrom(0, MAX_MINIMUM_MINUTES);

const shown = v.object({
  minutes: described(step, 'The step in minutes, a divisor of 60.'),
  mode: described(
    mode,
    'Where the minutes go that are no whole step: `up`, `down`, or to the `nearest` step, halves up. Only `down` may bill 0 minutes.',
  ),
  minimumMinutes: described(minimum, 'As how many minutes an entry counts at least, before it is rounded.'),
});

export const timeRounding = v.nullable(shown);

export const timeRoundingInput = v.nullable(
  explained(shown, { minutes: step, mode: v.optional(mode, 'up'), minimumMinutes: v.optional(minimum, 0) }),
);

export const exampleRounding = { minutes: 15, mode: 'up', minimumMinutes: 0 };
