import * as v from 'valibot';
import { beingUpdated } from '#shared/domain/problems.ts';

/**
 * A value of an enumeration as it is stored. One that only a newer version knows reads as a neutral one, which no change of
 * something else writes back.
 */
export function known<const Values extends readonly string[], const Neutral extends Values[number] | null>(
  values: Values,
  neutral: Neutral,
) {
  return v.union([
    v.picklist(values),
    v.pipe(
      v.string(),
      v.transform(() => neutral),
    ),
  ]);
}

/** A list that is read without the values that only a newer version knows. */
export function knownAmong<const Values extends readonly string[]>(values: Values) {
  const value = v.picklist(values);
  return v.pipe(
    v.array(v.string()),
    v.transform((stored) => stored.filter((each): each is Values[number] => v.is(value, each))),
  );
}

/** For a change that a neutral value would make a wrong one. @throws Problem `temporarily_unavailable` */
export function assertKnown(values: readonly string[], stored: unknown): void {
  if (!values.some((value) => value === stored)) throw beingUpdated();
}
