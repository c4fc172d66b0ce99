import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { logoOf } from '#shared/domain/organization/logo.ts';
import { eachPixel, readPng } from '#shared/domain/png.ts';
import { ALL_BYTES, changed, chunk, isReadBy, png } from '#test/support/pictures.ts';

const PNG = png({ width: 20, height: 10 });

describe('a PNG', () => {
  const isRead = isReadBy(readPng);
  const isLogo = isReadBy((file) => logoOf(file, 'image/png'));
  const depths: Readonly<Record<number, readonly number[]>> = {
    0: [1, 2, 4, 8, 16],
    2: [8, 16],
    3: [1, 2, 4, 8],
    4: [8, 16],
    6: [8, 16],
  };
  const samplesOf: Readonly<Record<number, number>> = { 2: 3, 4: 2, 6: 4 };

  /** Of one pixel, with a line as long as its header says. */
  const ofHeader = (depth: number, type: number, ...more: readonly number[]) => {
    const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, depth, type, ...more]);
    const line = Buffer.alloc(1 + Math.ceil((depth * (samplesOf[type] ?? 1)) / 8));
    const chunks = [
      chunk('IHDR', header),
      chunk('PLTE', Buffer.alloc(3)),
      chunk('IDAT', deflateSync(line)),
      chunk('IEND'),
    ];
    return Buffer.concat([PNG.subarray(0, 8), ...chunks]);
  };

  it('has one of the types of colour, in one of its depths', () => {
    const types = [0, 1, 2, 3, 4, 5, 6, 7];
    const known = types.map((type) => ALL_BYTES.slice(0, 18).filter((depth) => isRead(ofHeader(depth, type, 0, 0, 0))));
    expect(known).toEqual(types.map((type) => depths[type] ?? []));
  });

  it('is packed and filtered in the one way that there is, and interlaced in one of two', () => {
    const last = (way: readonly number[]) => ALL_BYTES.filter((byte) => isRead(ofHeader(8, 2, ...way, byte)));
    expect(
      [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ].map(last),
    ).toEqual([[0, 1], [], [], []]);
    expect([ofHeader(8, 2, 0, 0), ofHeader(8, 2, 0, 0, 0, 0)].filter(isRead)).toEqual([]);
  });

  it('is refused where any byte of it is another one, or missing', () => {
    const small = png({ width: 3, height: 2, chunks: [chunk('tEXt', Buffer.from('Title\0Logo'))] });
    const others = Array.from(small, (byte, at) => changed(small, at, byte ^ 1));
    expect(others.filter(isLogo)).toEqual([]);
    expect(Array.from(small.keys()).filter((length) => isRead(small.subarray(0, length)))).toEqual([]);
  });

  it.each([
    ['PLTE', true],
    ['IDAT', true],
    ['aaAA', true],
    ['zzZZ', true],
    ['IHDR', false],
    ['ZzZZ', false],
  ])('may have an empty %s beside its chunks: %s', (type, may) => {
    expect(isRead(png({ width: 3, height: 2, chunks: [chunk(type)] }))).toBe(may);
  });

  it('is unpacked no further than its header says', () => {
    const bomb = png({ width: 20, height: 10, data: deflateSync(Buffer.alloc(50_000_000)) });
    const before = process.memoryUsage().arrayBuffers;
    expect(isRead(bomb)).toBe(false);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  it('begins with its header', () => {
    const [before, header, rest] = [PNG.subarray(0, 8), PNG.subarray(8, 33), PNG.subarray(33)];
    expect(isRead(Buffer.concat([before, chunk('tEXt'), header, rest]))).toBe(false);
    expect(isRead(Buffer.concat([before, chunk('gAMA', header.subarray(8, 21)), rest]))).toBe(false);
  });

  it.each([1, 2, 4, 8] as const)(
    'of %i bits has a palette of one to as many colours as its pixels can name',
    (bitDepth) => {
      const most = 3 * 2 ** bitDepth;
      const paletted = (bytes: number) =>
        png({
          width: 1,
          height: 1,
          colourType: 3,
          bitDepth,
          samples: () => [0],
          chunks: [chunk('PLTE', Buffer.alloc(bytes))],
        });
      const sizes = [0, 1, 3, 4, most - 3, most, most + 1, most + 3];
      expect(sizes.filter((bytes) => isRead(paletted(bytes)))).toEqual([3, most - 3, most]);
    },
  );

  it.each([
    [1, 2_000],
    [2_000, 1],
  ])('has at most 2,000 pixels a side: %i by %i', (width, height) => {
    expect(isRead(png({ width, height }))).toBe(true);
    expect(isRead(png({ width: width + Math.sign(width - 1), height: height + Math.sign(height - 1) }))).toBe(false);
  });
});

function pixelsOf(bytes: Uint8Array): number[] {
  const png = readPng(bytes);
  const pixels: number[] = [];
  eachPixel(png, (x, y, ...pixel) => {
    for (const [i, value] of pixel.entries()) pixels[4 * (y * png.width + x) + i] = value;
  });
  return pixels;
}

describe('the pixels of a PNG', () => {
  const size = { width: 13, height: 11 };
  const random = (x: number, y: number, sample: number, most: number) =>
    (x * 7 + y * 31 + sample * 13 + x * y) % (most + 1);

  it.each([
    [0, 1, 1],
    [0, 2, 1],
    [0, 4, 1],
    [0, 8, 1],
    [0, 16, 1],
    [2, 8, 3],
    [2, 16, 3],
    [4, 8, 2],
    [4, 16, 2],
    [6, 8, 4],
    [6, 16, 4],
  ] as const)(
    'are those of colour type %i with %i bits, in lines or interlaced, by any filter',
    (colourType, bitDepth, count) => {
      const most = 2 ** bitDepth - 1;
      const samples = (x: number, y: number) =>
        Array.from({ length: count }, (_, sample) => random(x, y, sample, most));
      const eight = (value: number) => (bitDepth === 16 ? value >> 8 : Math.round((value * 255) / most));
      const expected = Array.from({ length: size.width * size.height }, (_, index) => {
        const [a = 0, b = 0, c = 0, d = most] = samples(index % size.width, Math.floor(index / size.width));
        const shown = { 0: [a, a, a, most], 2: [a, b, c, most], 4: [a, a, a, b], 6: [a, b, c, d] }[colourType];
        return shown.map(eight);
      }).flat();
      for (const isInterlaced of [false, true]) {
        for (const first of [0, 1, 2, 3, 4]) {
          const filter = (row: number) => (row + first) % 5;
          const made = png({ ...size, colourType, bitDepth, isInterlaced, samples, filter });
          expect(pixelsOf(made)).toEqual(expected);
        }
      }
    },
  );

  it('are in lines of their passes, whatever its size', () => {
    for (let width = 1; width <= 9; width++) {
      for (let height = 1; height <= 9; height++) {
        const samples = (x: number, y: number) => [16 * x + y];
        const made = png({ width, height, colourType: 0, isInterlaced: true, samples });
        const places = Array.from({ length: width * height }, (_, i) => 16 * (i % width) + Math.floor(i / width));
        expect(pixelsOf(made)).toEqual(places.flatMap((grey) => [grey, grey, grey, 255]));
      }
    }
  });

  it('are those of its palette, and may be unseen', () => {
    const colours = [255, 0, 0, 0, 255, 9];
    const chunks = [chunk('PLTE', Buffer.from(colours)), chunk('tRNS', Buffer.from([7]))];
    const made = png({ width: 3, height: 1, colourType: 3, bitDepth: 2, chunks, samples: (x) => [x] });
    // The third colour is not in the palette.
    expect(pixelsOf(made)).toEqual([255, 0, 0, 7, 0, 255, 9, 255, 0, 0, 0, 255]);
  });

  it.each([
    [2, 8, [0, 200, 0, 30, 0, 40], [200, 30, 40], true],
    [2, 8, [0, 200, 0, 30, 0, 40], [201, 30, 40], false],
    [2, 8, [0, 200, 0, 30, 0, 40], [200, 31, 40], false],
    [2, 8, [0, 200, 0, 30, 0, 40], [200, 30, 41], false],
    [2, 8, [0, 200], [200, 0, 0], true],
    [2, 8, [], [0, 0, 0], false],
    [2, 16, [1, 2, 3, 4, 5, 6], [0x0102, 0x0304, 0x0506], true],
    [2, 16, [1, 2, 3, 4, 5, 6], [0x0102, 0x0304, 0x0507], false],
    [0, 16, [1, 2], [0x0102], true],
    [0, 16, [1, 2], [0x0103], false],
    [0, 2, [0, 2], [2], true],
    [0, 2, [0, 2], [3], false],
  ] as const)(
    'of type %i with %i bits are not seen, by %j, if they are %j: %s',
    (colourType, bitDepth, unseen, pixel, isUnseen) => {
      const chunks = [chunk('tRNS', Buffer.from(unseen))];
      const made = png({ width: 1, height: 1, colourType, bitDepth, chunks, samples: () => pixel });
      expect(pixelsOf(made)[3]).toBe(isUnseen ? 0 : 255);
    },
  );
});
