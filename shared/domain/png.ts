import { crc32, inflateSync } from 'node:zlib';
import { assertSides, badPicture, type PictureSize } from './picture.ts';

/** A PNG (ISO/IEC 15948), as far as its pixels go. What else a file has is not read. */
export interface Png extends Shape {
  /** Red, green and blue of each colour. */
  readonly palette: Uint8Array;
  /** Of each colour of the palette, or the one colour that nobody sees. */
  readonly transparency: Uint8Array;
  /** All lines, each behind a byte for its filter. */
  readonly pixels: Uint8Array;
}

interface Shape extends PictureSize {
  readonly bitDepth: number;
  readonly colourType: number;
  /** Of a pixel. */
  readonly samples: number;
  readonly isInterlaced: boolean;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));

/** By the type of colour: samples of a pixel, and bits that a sample may have. */
const COLOUR_TYPES: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

const INDEXED = 3;
const HAS_COLOUR = 2;
const HAS_OPACITY = 4;

const BROKEN = 'Expected a whole PNG: this one is broken or ends too early.';

/** @throws Problem `validation_failed` for one that is broken, animated or too large, with no more memory than it needs */
export function readPng(file: Uint8Array): Png {
  const [header, ...others] = chunksOf(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw badPicture(BROKEN);
  const size = { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
  const [bitDepth, colourType] = [header.data.readUInt8(8), header.data.readUInt8(9)];
  const [compression, filter, interlacing] = header.data.subarray(10);
  assertSides(size);
  if (others.some(({ type }) => type === 'acTL')) throw badPicture('Expected a picture that is not animated.');
  const dataOf = (wanted: string) => Buffer.concat(others.flatMap(({ type, data }) => (type === wanted ? [data] : [])));
  const palette = dataOf('PLTE');
  const hasPalette = palette.length > 0 && palette.length % 3 === 0 && palette.length <= 3 * 2 ** bitDepth;
  const colour = COLOUR_TYPES[colourType];
  const isKnown =
    compression === 0 &&
    filter === 0 &&
    (interlacing === 0 || interlacing === 1) &&
    others.every(({ type }) => /^[a-z]/.test(type) || ['PLTE', 'IDAT', 'IEND'].includes(type)) &&
    (colourType !== INDEXED || hasPalette);
  if (!isKnown || !colour?.depths.includes(bitDepth)) throw badPicture(BROKEN);
  const shape = { ...size, bitDepth, colourType, samples: colour.samples, isInterlaced: interlacing === 1 };
  return { ...shape, palette, transparency: dataOf('tRNS'), pixels: unpacked(dataOf('IDAT'), shape) };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** What surrounds the data of a chunk: its length and type before, and its checksum behind. */
const [BEFORE_DATA, BEHIND_DATA] = [8, 4];

function chunksOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (chunks.at(-1)?.type !== 'IEND') {
    const data = at + BEFORE_DATA;
    const end = data < file.length ? data + file.readUInt32BE(at) : file.length;
    if (end + BEHIND_DATA > file.length) throw badPicture(BROKEN);
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) throw badPicture(BROKEN);
    chunks.push({ type: file.toString('latin1', at + 4, data), data: file.subarray(data, end) });
    at = end + BEHIND_DATA;
  }
  if (at !== file.length) throw badPicture('Expected a PNG, and nothing behind its end.');
  return chunks;
}

interface Line {
  /** Where its filter is. Its samples follow. */
  readonly at: number;
  readonly bytes: number;
  readonly columns: number;
  /** Of its first pixel, and how far it is to the next one. */
  readonly x: number;
  readonly y: number;
  readonly step: number;
  /** In its pass: its filter has nothing above it. */
  readonly isFirst: boolean;
}

/** First pixel and distance of pixels: across, and down. */
const WHOLE = [[0, 0, 1, 1]] as const;
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function linesOf(shape: Shape): Line[] {
  const lines: Line[] = [];
  let at = 0;
  for (const [x, top, step, down] of shape.isInterlaced ? ADAM7 : WHOLE) {
    const columns = Math.ceil((shape.width - x) / step);
    const bytes = Math.ceil((columns * shape.bitDepth * shape.samples) / 8);
    for (let y = top; y < shape.height && columns > 0; y += down) {
      lines.push({ at, bytes, columns, x, y, step, isFirst: y === top });
      at += 1 + bytes;
    }
  }
  return lines;
}

function unpacked(packed: Buffer, shape: Shape): Uint8Array {
  const lines = linesOf(shape);
  const size = lines.reduce((sum, { bytes }) => sum + 1 + bytes, 0);
  const pixels = inflated(packed, size);
  if (pixels?.length !== size || lines.some(({ at }) => byteAt(pixels, at) > PAETH)) throw badPicture(BROKEN);
  const distance = Math.ceil((shape.bitDepth * shape.samples) / 8);
  for (const line of lines) unfilter(pixels, line, distance);
  return pixels;
}

function inflated(packed: Buffer, maxOutputLength: number): Uint8Array | undefined {
  try {
    return inflateSync(packed, { maxOutputLength });
  } catch {
    return undefined;
  }
}

const [LEFT, UP, MEAN, PAETH] = [1, 2, 3, 4];

function unfilter(pixels: Uint8Array, { at, bytes, isFirst }: Line, distance: number): void {
  const filter = pixels[at];
  for (let i = 1; i <= bytes && filter !== 0; i++) {
    const isInside = i > distance;
    const left = isInside ? byteAt(pixels, at + i - distance) : 0;
    const above = at + i - bytes - 1;
    const up = isFirst ? 0 : byteAt(pixels, above);
    const upperLeft = isInside && !isFirst ? byteAt(pixels, above - distance) : 0;
    pixels[at + i] = byteAt(pixels, at + i) + predicted(filter, left, up, upperLeft);
  }
}

/** A byte that is missing is 0, so a colour that is not in the palette is black. */
const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

function predicted(filter: number | undefined, left: number, up: number, upperLeft: number): number {
  if (filter === LEFT) return left;
  if (filter === UP) return up;
  if (filter === MEAN) return (left + up) >> 1;
  const [byLeft, byUp, byBoth] = [
    Math.abs(up - upperLeft),
    Math.abs(left - upperLeft),
    Math.abs(left + up - 2 * upperLeft),
  ];
  if (byLeft <= byUp && byLeft <= byBoth) return left;
  return byUp <= byBoth ? up : upperLeft;
}

/** Its place, and its colour and opacity with eight bits each. */
type TakePixel = (x: number, y: number, red: number, green: number, blue: number, opacity: number) => void;

const OPAQUE = 255;

export function eachPixel(png: Png, take: TakePixel): void {
  const { bitDepth, colourType, samples, palette, transparency, pixels } = png;
  const most = 2 ** bitDepth - 1;
  const eight = (value: number) => (bitDepth === 16 ? value >> 8 : Math.round((value * OPAQUE) / most));
  // Grey is the first sample three times.
  const [green, blue] = colourType & HAS_COLOUR ? [1, 2] : [0, 0];
  const unseen = [0, green, blue].map((index) => (transparency.length > 0 ? sampleAt(transparency, index, 16) : -1));
  for (const { at, bytes, columns, x, y, step } of linesOf(png)) {
    const line = pixels.subarray(at + 1, at + 1 + bytes);
    for (let column = 0; column < columns; column++) {
      const sample = (index: number) => sampleAt(line, column * samples + index, bitDepth);
      const [r, g, b] = [sample(0), sample(green), sample(blue)];
      if (colourType === INDEXED) {
        const colour = (index: number) => byteAt(palette, 3 * r + index);
        take(x + column * step, y, colour(0), colour(1), colour(2), transparency[r] ?? OPAQUE);
      } else {
        const isUnseen = r === unseen[0] && g === unseen[1] && b === unseen[2];
        const opacity = colourType & HAS_OPACITY ? eight(sample(samples - 1)) : isUnseen ? 0 : OPAQUE;
        take(x + column * step, y, eight(r), eight(g), eight(b), opacity);
      }
    }
  }
}

function sampleAt(line: Uint8Array, index: number, bitDepth: number): number {
  if (bitDepth === 8) return byteAt(line, index);
  if (bitDepth === 16) return (byteAt(line, 2 * index) << 8) | byteAt(line, 2 * index + 1);
  const bit = index * bitDepth;
  return (byteAt(line, bit >> 3) >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1);
}
