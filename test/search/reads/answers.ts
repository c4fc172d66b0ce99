import { isDeepStrictEqual } from 'node:util';
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

const MAX_DIFFERENCES = 4;

/**
 * The differences of two outcomes in words; undefined if there are none.
 *
 * @param tidy makes two bodies the same that mean the same
 */
export function differenceOf(expected: Json, actual: Json, tidy = (body: Json) => body): string | undefined {
  const [known, seen] = [expected, actual].map((outcome) => (outcome.code ? outcome : tidy(outcome)));
  const differences = differencesIn(known, seen, '');
  return differences.length > 0 ? differences.slice(0, MAX_DIFFERENCES).join('; ') : undefined;
}

function differencesIn(expected: Json, actual: Json, path: string): string[] {
  if (isDeepStrictEqual(expected, actual)) return [];
  if (!isObject(expected) || !isObject(actual))
    return [`${path || 'answer'} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`];
  const members = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [...members].flatMap((member) => differencesIn(expected[member], actual[member], `${path}.${member}`));
}

const isObject = (value: Json): value is Readonly<Record<string, Json>> => typeof value === 'object' && value !== null;
