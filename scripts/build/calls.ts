import { basename, dirname } from 'node:path';
import { type BuildOptions, build as bundle } from 'esbuild';

/**
 * Finds the calls of each function on AWS, from which its role follows (`infra/permissions.ts`). They are bundled
 * once more, with readable names. A command that is left may be sent.
 */

/**
 * The roles have narrower statements for their calls. Counted here, these would let every function read the whole
 * table.
 */
const AROUND_EACH_HANDLER = ['#shared/http/*', './shared/data/table/layout.ts'];

/** To leave out what never calls AWS takes half the time. */
const PURE = ['#shared/contract/*', '#shared/domain/*', '#shared/e-invoice/*', '#shared/pdf/*'];

/** `new import_lib_dynamodb.GetCommand(` -> `Get`, and of a transaction `{ Put: {` -> `Put` */
const CALL = /\bnew \w+\.(?<command>\w+)Command\(|\b(?<item>ConditionCheck|Delete|Put|Update):/g;

export async function callsOf(options: BuildOptions): Promise<Record<string, string[]>> {
  const { outputFiles } = await bundle({
    ...options,
    external: [...AROUND_EACH_HANDLER, ...PURE],
    minify: false,
    packages: 'external',
    logLevel: 'error',
    write: false,
  });
  const files = Map.groupBy(outputFiles, ({ path }) => basename(dirname(path)));
  return Object.fromEntries([...files].map(([name, texts]) => [name, callsIn(texts.map(({ text }) => text).join())]));
}

function callsIn(code: string): string[] {
  const calls = [...code.matchAll(CALL)].map(({ groups }) => groups?.command ?? groups?.item ?? '');
  return [...new Set(calls)].sort();
}
