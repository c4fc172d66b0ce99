import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Makes a bundle hold only the endpoint that it implements. A contract module defines a page of endpoints, each with
 * calls to valibot. esbuild does not look into another module to learn that such a call has no effects (it heeds
 * `@__NO_SIDE_EFFECTS__` only within one). Contracts are only values, so this plugin may tell esbuild. `const x =
 * ...` becomes `const x = /* @__PURE__ *\/ (() => ...)()`, and esbuild drops it if nobody reads x.
 */
export const pureContracts: Plugin = {
  name: 'pure-contracts',
  setup({ esbuild, onLoad }) {
    onLoad({ filter: /[\\/]shared[\\/]contract[\\/](?:\w+[\\/])?[\w-]+\.ts$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(await readFile(path, 'utf8'), { loader: 'ts' });
      return { contents: code.replace(TOP_LEVEL_CONSTANT, '$1/* @__PURE__ */ (() => ($2))();\n'), loader: 'js' };
    });
  },
};

/**
 * In esbuild's own layout a statement at the top level ends if the next line is neither indented nor closes a
 * bracket. A wrong match would not parse, and the build would fail.
 */
const TOP_LEVEL_CONSTANT = /^((?:export )?const \w+ = )([\s\S]*?);\n(?![\s)}\]])/gm;
