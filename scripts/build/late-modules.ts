import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/** Leaves `import()` of our own modules in place, for the bundle beside that of the function. */
export const lateModules: Plugin = {
  name: 'late-modules',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/** The Brotli decoder of fontkit would be half of the bundle. Node.js has one of its own. */
export const nativeBrotli: Plugin = {
  name: 'native-brotli',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]brotli[\\/]decompress\.js$/ }, () => ({
      contents: "module.exports = (packed) => require('node:zlib').brotliDecompressSync(packed);",
      loader: 'js',
    }));
  },
};
