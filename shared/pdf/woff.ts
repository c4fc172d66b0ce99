import { inflateSync } from 'node:zlib';
import { type FontTable, plainFont } from './sfnt.ts';

/**
 * Unpacks a WOFF font (W3C, WOFF File Format 1.0) to the plain font inside. fontkit reads WOFF too, but unpacks a
 * table again for every glyph that it reads from it: a page in many scripts took 780 ms instead of 180.
 */
export function unpackWoff(woff: Buffer): Buffer {
  return plainFont(woff.subarray(FLAVOR, FLAVOR + 4), tablesOf(woff));
}

const SIGNATURE = 'wOFF';
const FLAVOR = 4;
const TABLE_COUNT = 12;
const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;

export function isWoff(file: Buffer): boolean {
  return file.toString('latin1', 0, 4) === SIGNATURE;
}

function tablesOf(woff: Buffer): FontTable[] {
  return Array.from({ length: woff.readUInt16BE(TABLE_COUNT) }, (_, index) => {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    const [offset, packedLength, length] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field));
    const packed = woff.subarray(offset, (offset ?? 0) + (packedLength ?? 0));
    return {
      tag: woff.toString('latin1', entry, entry + 4),
      data: packedLength === length ? packed : inflateSync(packed),
    };
  });
}
