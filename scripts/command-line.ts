import { type ParseArgsConfig, parseArgs } from 'node:util';
import * as v from 'valibot';
import { violationOf } from '#shared/http/validation.ts';
import { asError } from '#shared/runtime/error.ts';

/** Shown with the usage, since the words on the command line are not right. */
export class UsageError extends Error {}

/** @throws UsageError */
export function wordsOf<const Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(asError(error).message);
  }
}

/** Runs a command. What stops it is shown in its words, with the usage where the words of its caller are not right. */
export async function runCommand(usage: string, run: () => Promise<void>, explain = messageOf): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n${usage}` : explain(error));
    process.exitCode = 1;
  }
}

function messageOf(error: unknown): unknown {
  return asError(error).message;
}

/** The members of the schema have the names of the options. @throws UsageError with a line for each fault */
export function optionsOf<const Schema extends v.GenericSchema>(schema: Schema, words: object): v.InferOutput<Schema> {
  const result = v.safeParse(schema, { ...words });
  if (result.success) return result.output;
  throw new UsageError(result.issues.map(complaint).join('\n'));
}

function complaint(issue: v.BaseIssue<unknown>): string {
  const { path, message, code } = violationOf(issue);
  const option = `--${path.split('.')[0]}`;
  return code === 'required' ? `${option} is required.` : `${option}: ${message}`;
}
