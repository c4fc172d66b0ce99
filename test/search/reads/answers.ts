import { deepStrictEqual } from 'node:assert';
import { Problem } from '#shared/domain/problems.ts';
import type { Json } from '#test/support/client.ts';

/** The body that is answered, or the code of the problem. */
export function outcomeOf(answer: () => Json): Json {
  try {
    return JSON.parse(JSON.stringify(answer()));
  } catch (error) {
    if (error instanceof Problem) return { code: error.code };
    throw error;
  }
}

/**
 * What an outcome has instead of what was expected; undefined if they are the same.
 *
 * @param tidy makes two bodies the same that mean the same
 */
export function differenceOf(expected: Json, actual: Json, tidy = (body: Json) => body): string | undefined {
  const [known, seen] = [expected, actual].map((outcome) => (outcome.code ? outcome : tidy(outcome)));
  try {
    deepStrictEqual(seen, known);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
