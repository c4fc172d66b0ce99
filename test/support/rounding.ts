import fc from 'fast-check';
import {
  MAX_MINIMUM_MINUTES,
  ROUNDING_MODES,
  ROUNDING_STEPS,
  type TimeRounding,
} from '#shared/domain/time-rounding.ts';
import type { Dice } from '#test/search/dice.ts';

/** Rules of rounding, or none, for properties and for searches. */

export const anyRounding: fc.Arbitrary<TimeRounding | null> = fc.option(
  fc.record({
    minutes: fc.constantFrom(...ROUNDING_STEPS),
    mode: fc.constantFrom(...ROUNDING_MODES),
    minimumMinutes: fc.oneof(fc.constant(0), fc.nat({ max: MAX_MINIMUM_MINUTES })),
  }),
);

export function pickRounding(dice: Dice): TimeRounding | null {
  if (dice.chance(0.3)) return null;
  const minimumMinutes = dice.pick([0, 0, 20, 60]);
  return { minutes: dice.pick(ROUNDING_STEPS), mode: dice.pick(ROUNDING_MODES), minimumMinutes };
}
