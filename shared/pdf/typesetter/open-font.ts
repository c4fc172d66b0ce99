import { create, type Font, type TableStream } from 'fontkit';
import { readPackageFile } from '#shared/runtime/package-files.ts';

const opened = new Map<string, Font>();

/** Fonts stay open for later invoices in the same process, because reading a font takes some milliseconds. */
export function openFont(file: string): Font {
  const known = opened.get(file);
  if (known) return known;
  const font = create(readPackageFile(file));
  if (font.type === 'WOFF') keepTables(font);
  opened.set(file, font);
  return font;
}

/**
 * fontkit unpacks a table of a WOFF font again for every glyph: a page in many scripts took 560 ms instead of 190.
 * Fonts that are not packed read all tables from one stream, so a table's stream may be shared too.
 */
function keepTables(font: Font): void {
  const kept = new Map<string, { stream: TableStream; start: number }>();
  const unpack = font._getTableStream;
  font._getTableStream = (tag) => {
    const known = kept.get(tag);
    if (known) {
      known.stream.pos = known.start;
      return known.stream;
    }
    const stream = unpack.call(font, tag);
    if (stream) kept.set(tag, { stream, start: stream.pos });
    return stream;
  };
}
