import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { MAX_LOGO_BYTES } from '#shared/domain/organization/logo.ts';

const SIDE = 2_000;
const BYTES_OF_PIXEL = 8;

/** The dearest filter. Pixels have this value, too. */
const PAETH = 4;

/** A PNG with all the pixels and bytes that a logo may have. No two of them are equal. */
export function largestLogo(): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  // Sixteen bits of red, green, blue and opacity, interlaced.
  header.set([16, 6, 0, 0, 1], 8);
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(BYTES_OF_PIXEL * SIDE ** 2 + linesOfAdam7(), PAETH)));
  const [begin, end] = [Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IEND', Buffer.alloc(0))];
  const parts = [begin, chunk('IHDR', header), pixels, end];
  const room = MAX_LOGO_BYTES - Buffer.concat([...parts, chunk('idLe', Buffer.alloc(0))]).length;
  parts.splice(2, 0, chunk('idLe', randomBytes(room)));
  return new Uint8Array(Buffer.concat(parts));
}

/** Each has a byte for its filter. */
const linesOfAdam7 = () => [8, 8, 8, 4, 4, 2, 2].reduce((sum, down) => sum + SIDE / down, 0);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
