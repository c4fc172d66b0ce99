import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Leaves `import()` of our own modules in place. It loads the bundle that the build makes of the module, beside
 * the function's bundle.
 */
export const lateModules: Plugin = {
  name: 'late-modules',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/**
 * fontkit brings a Brotli decoder in JavaScript, for fonts in WOFF2. The decoder, above all its dictionary, would be
 * half of the bundle. Node.js has a decoder of its own, which takes its place.
 */
export const nativeBrotli: Plugin = {
  name: 'native-brotli',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]brotli[\\/]decompress\.js$/ }, () => ({
      contents: "module.exports = (packed) => require('node:zlib').brotliDecompressSync(packed);",
      loader: 'js',
    }));
  },
};
