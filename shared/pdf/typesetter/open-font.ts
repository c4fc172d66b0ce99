import { create, type Font } from 'fontkit';
import { memoized } from '#shared/runtime/memoized.ts';
import { readPackageFile } from '#shared/runtime/package-files.ts';

/** Fonts stay open for later invoices in the same process, because reading a font takes some milliseconds. */
export const openFont = memoized((file: string): Font => {
  const font = create(readPackageFile(file));
  if (font.type === 'WOFF') keepTables(font);
  return font;
});

/**
 * fontkit unpacks a table of a WOFF font again for every glyph: a page in many scripts took 560 ms instead of 190.
 * Fonts that are not packed read all tables from one stream, so a table's stream may be shared too.
 */
function keepTables(font: Font): void {
  const unpack = font._getTableStream;
  const unpacked = memoized((tag: string) => {
    const stream = unpack.call(font, tag);
    return { stream, start: stream?.pos ?? 0 };
  });
  font._getTableStream = (tag) => {
    const { stream, start } = unpacked(tag);
    if (stream) stream.pos = start;
    return stream;
  };
}
