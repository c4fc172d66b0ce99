import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Makes a bundle hold only the endpoint that it implements: the calls that make a contract have no effects, which
 * esbuild does not see across modules. With `@__PURE__` it drops each constant that nobody reads.
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

/** A statement ends where the next line is neither indented nor closes a bracket. A wrong match would not parse. */
const TOP_LEVEL_CONSTANT = /^((?:export )?const \w+ = )([\s\S]*?);\n(?![\s)}\]])/gm;
