import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/** Leaves `import()` of our own modules in place: it loads the bundle that the build makes of the module, beside the function's. */
export const lateModules: Plugin = {
  name: 'late-modules',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/**
 * fontkit brings a Brotli decoder in JavaScript with it, for fonts in WOFF2. It is half of what would be bundled, its dictionary above all,
 * and Node.js has one of its own.
 */
export const nativeBrotli: Plugin = {
  name: 'native-brotli',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]brotli[\\/]decompress\.js$/ }, () => ({
      contents: "module.exports = require('node:zlib').brotliDecompressSync;",
      loader: 'js',
    }));
  },
};
