import { crc32, deflateSync } from 'node:zlib';
import { unlessRefused } from './unless-refused.ts';

/** Pictures that tests make: a PNG of any kind, and a JPEG, whose pixels nobody decodes here: PDF takes them as they are. */

type Samples = readonly number[];

interface PngParts {
  readonly width: number;
  readonly height: number;
  /** 0: grey; 2: red, green and blue; 3: of a palette; 4 and 6: the first two with opacity. */
  readonly colourType?: 0 | 2 | 3 | 4 | 6;
  readonly bitDepth?: 1 | 2 | 4 | 8 | 16;
  readonly isInterlaced?: boolean;
  /** The filter of each line, which the maker applies. */
  readonly filter?: (row: number) => number;
  readonly samples?: (x: number, y: number) => Samples;
  /** Between the header and the pixels. */
  readonly chunks?: readonly Uint8Array[];
  /** In place of the packed lines. */
  readonly data?: Uint8Array;
}

const SAMPLES_OF = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function png(parts: PngParts): Buffer {
  const { width, height, colourType = 2, bitDepth = 8, isInterlaced = false, chunks = [], data } = parts;
  const header = Buffer.concat([
    uint32(width),
    uint32(height),
    Buffer.from([bitDepth, colourType, 0, 0, isInterlaced ? 1 : 0]),
  ]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...chunks,
    chunk('IDAT', data ?? deflateSync(pngLines(parts))),
    chunk('IEND'),
  ]);
}

function pngLines({
  width,
  height,
  colourType = 2,
  bitDepth = 8,
  isInterlaced = false,
  filter = () => 0,
  samples = () => [200, 30, 40, 255],
}: PngParts): Buffer {
  const count = SAMPLES_OF[colourType];
  const distance = Math.max(1, (bitDepth * count) / 8);
  const lines = (isInterlaced ? ADAM7 : ([[0, 0, 1, 1]] as const)).flatMap(([left, top, stepX, stepY]) => {
    const columns = Math.max(0, Math.ceil((width - left) / stepX));
    const rows = columns === 0 ? 0 : Math.max(0, Math.ceil((height - top) / stepY));
    let above: Buffer = Buffer.alloc(Math.ceil((columns * count * bitDepth) / 8));
    return Array.from({ length: rows }, (_, row) => {
      const values = Array.from({ length: columns }, (_, column) =>
        samples(left + column * stepX, top + row * stepY).slice(0, count),
      ).flat();
      const line = packedSamples(values, bitDepth);
      const kind = filter(row);
      const filtered = line.map((byte, i) => {
        const [a, b, c] = [line[i - distance] ?? 0, above[i] ?? 0, above[i - distance] ?? 0];
        return byte - ([0, a, b, (a + b) >> 1, nearest(a, b, c)][kind] ?? 0);
      });
      above = line;
      return Buffer.concat([Buffer.from([kind]), filtered]);
    });
  });
  return Buffer.concat(lines);
}

function packedSamples(values: Samples, bitDepth: number): Buffer {
  if (bitDepth === 8) return Buffer.from(values);
  if (bitDepth === 16) return Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
  const bits = values.map((value) => value.toString(2).padStart(bitDepth, '0')).join('');
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

function nearest(a: number, b: number, c: number): number {
  const estimate = a + b - c;
  const [first = 0] = [a, b, c].sort((one, other) => Math.abs(estimate - one) - Math.abs(estimate - other));
  return first;
}

export const ALL_BYTES = Array.from({ length: 256 }, (_, byte) => byte);

/** The picture, of which some bytes are others. */
export function changed(picture: Uint8Array, at: number, ...bytes: readonly number[]): Buffer {
  const other = Buffer.from(picture);
  other.set(bytes, at);
  return other;
}

/** Whether a picture is read; it may be refused in no other way than as a fault of the caller. */
export const isReadBy = (read: (picture: Uint8Array) => unknown) => (picture: Uint8Array) =>
  unlessRefused(() => [read(picture)]) !== undefined;

/** A request with a picture as its body. */
export const LOGO = {
  rawBody: new Uint8Array(png({ width: 60, height: 20 })),
  headers: { 'content-type': 'image/png' },
} as const;

interface JpegParts {
  /** In squares of eight pixels. */
  readonly columns: number;
  readonly rows: number;
  readonly components?: 1 | 3 | 4;
  /** In pixels, if it shall not be that of the squares. */
  readonly size?: readonly [width: number, height: number];
  /** Behind the beginning of the file. */
  readonly segments?: readonly Uint8Array[];
  readonly frame?: number;
  readonly precision?: number;
}

export function segment(marker: number, data: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, data]);
}

export const ADOBE = segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\0', 'latin1'));

/** Exif that says, after something else, how the picture lies, and a comment beside it. */
export function exif(orientation: number, comment = '', order: 'II' | 'MM' = 'II'): Buffer {
  const short = (number: number) => (order === 'II' ? [number & 255, number >> 8] : [number >> 8, number & 255]);
  const long = (number: number) => (order === 'II' ? [...short(number), 0, 0] : [0, 0, ...short(number)]);
  const entry = (tag: number, value: number) => [...short(tag), ...short(3), ...long(1), ...short(value), 0, 0];
  const directory = [...short(2), ...entry(0x0100, 32), ...entry(0x0112, orientation), ...long(0)];
  const head = Buffer.from([...short(42), ...long(8), ...directory]);
  return segment(0xe1, Buffer.concat([Buffer.from(`Exif\0\0${order}`), head, Buffer.from(comment)]));
}

/** One byte among them looks like the beginning of a marker. */
const PIXELS = Buffer.from([0x5a, 0xff, 0x00, 0x5a]);

export function jpeg({
  columns,
  rows,
  components = 3,
  size = [8 * columns, 8 * rows],
  segments = [],
  frame = 0xc0,
  precision = 8,
}: JpegParts): Buffer {
  const each = Array.from({ length: components }, (_, index) => index + 1);
  const [width, height] = size;
  const frameData = [precision, height >> 8, height & 255, width >> 8, width & 255, components];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments,
    segment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 8)])),
    segment(frame, Buffer.from([...frameData, ...each.flatMap((id) => [id, 0x11, 0])])),
    segment(0xc4, Buffer.alloc(17)),
    segment(0xc4, Buffer.concat([Buffer.from([0x10]), Buffer.alloc(16)])),
    segment(0xda, Buffer.from([components, ...each.flatMap((id) => [id, 0]), 0, 63, 0])),
    PIXELS,
    Buffer.from([0xff, 0xd9]),
  ]);
}
