import * as v from 'valibot';

/** Called at load, so that a function without a setting fails at its cold start, by name. */
export function parseEnv<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const result = v.safeParse(v.object(entries), process.env);
  if (result.success) return result.output;
  const names = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new Error(`The environment lacks a valid ${names}.`);
}

export const setting = v.pipe(v.string(), v.nonEmpty());
