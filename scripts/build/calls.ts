import { basename, dirname } from 'node:path';
import { type BuildOptions, build as bundle } from 'esbuild';

/**
 * What the code of each function calls on AWS: its role follows from that (`infra/permissions.ts`). All functions are
 * bundled once more, so that what none of their code reaches is gone, but without packages and with their names. A
 * command of the SDK that is left is one that may be sent, and so is an item of a transaction.
 */

/**
 * They make calls of their own, for which the roles have statements that reach nothing else. Counted with the others,
 * these calls would let every function read the whole table.
 */
const AROUND_EACH_HANDLER = ['#shared/http/*', './shared/data/table/layout-check.ts'];

/** `new import_lib_dynamodb.GetCommand(` -> `Get`, and of a transaction `{ Put: {` -> `Put` */
const CALL = /\bnew \w+\.(?<command>\w+)Command\(|\b(?<item>ConditionCheck|Delete|Put|Update):/g;

/**
 * @param options those of the bundles, of which each lies in a folder with the name of its function
 * @returns the calls by the name of the function
 */
export async function callsOf(options: BuildOptions): Promise<Record<string, string[]>> {
  const { outputFiles } = await bundle({
    ...options,
    external: AROUND_EACH_HANDLER,
    minify: false,
    packages: 'external',
    write: false,
  });
  const files = Map.groupBy(outputFiles, ({ path }) => basename(dirname(path)));
  return Object.fromEntries([...files].map(([name, texts]) => [name, callsIn(texts.map(({ text }) => text).join())]));
}

function callsIn(code: string): string[] {
  const calls = [...code.matchAll(CALL)].map(({ groups }) => groups?.command ?? groups?.item ?? '');
  return [...new Set(calls)].sort();
}
