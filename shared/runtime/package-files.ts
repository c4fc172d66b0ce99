import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The build puts the files beside the bundle. Code that runs from the sources finds them where npm put them. */
const bundled = join(import.meta.dirname, 'assets');
const folder = existsSync(bundled) ? bundled : join(import.meta.dirname, '../../node_modules');

/** @param path below `node_modules` */
export function readPackageFile(path: string): Uint8Array {
  return readFileSync(join(folder, path));
}
