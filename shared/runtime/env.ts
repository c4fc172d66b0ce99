import * as v from 'valibot';

/**
 * Parses what a function needs from its environment, once, when it is loaded: a function that was deployed without a setting
 * fails at its cold start and names it, instead of failing some request later.
 */
export function parseEnv<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const result = v.safeParse(v.object(entries), process.env);
  if (result.success) return result.output;
  const names = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new Error(`The environment lacks a valid ${names}.`);
}

/** A setting that must be there and not empty. */
export const setting = v.pipe(v.string(), v.nonEmpty());
