import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type Font } from 'fontkit';
import { isWoff, unpackWoff } from './woff.ts';
import { isWoff2, unpackWoff2 } from './woff2.ts';

/**
 * The build puts the fonts beside the bundle. For code that runs from the sources, the fonts are where npm put
 * them.
 */
const bundled = join(import.meta.dirname, 'assets');
const folder = existsSync(bundled) ? bundled : join(import.meta.dirname, '../../node_modules');

const opened = new Map<string, Font>();

/** Fonts stay open for later invoices in the same process, because reading a font takes some milliseconds. */
export function openFont(file: string): Font {
  const known = opened.get(file);
  if (known) return known;
  const content = readFileSync(join(folder, file));
  const font = create(plain(content));
  opened.set(file, font);
  return font;
}

function plain(content: Buffer): Buffer {
  if (isWoff(content)) return unpackWoff(content);
  return isWoff2(content) ? unpackWoff2(content) : content;
}
