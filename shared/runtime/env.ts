import * as v from 'valibot';

/**
 * Parses what a function needs from its environment, once, when the function is loaded. Without a required setting,
 * a deployed function fails at its cold start and names the setting, instead of failing at some later request.
 */
export function parseEnv<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const result = v.safeParse(v.object(entries), process.env);
  if (result.success) return result.output;
  const names = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new Error(`The environment lacks a valid ${names}.`);
}

/** A setting that is required and not empty. */
export const setting = v.pipe(v.string(), v.nonEmpty());
