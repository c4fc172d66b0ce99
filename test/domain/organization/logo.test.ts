import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logoOf } from '#shared/domain/organization/logo.ts';
import { changed, chunk, exif, jpeg, png, segment } from '#test/support/pictures.ts';

const PNG = png({ width: 20, height: 10 });
const JPEG = jpeg({ columns: 4, rows: 2 });

const PIXELS = deflateSync(Buffer.alloc(10 * 61));
const REFUSAL = [{ path: '', message: expect.stringMatching(/^Expected a .+\.$/), code: 'picture' }];
const refused = (errors: readonly unknown[] = REFUSAL) =>
  expect.objectContaining({ code: 'validation_failed', details: expect.objectContaining({ errors }) });

/** Its checksums are right, so that only what the header says is wrong. */
const headed = (...header: readonly number[]) =>
  Buffer.concat([PNG.subarray(0, 8), chunk('IHDR', Buffer.from(header)), PNG.subarray(33)]);

const BAD_PNGS: Readonly<Record<string, Buffer>> = {
  'bytes behind its end': Buffer.concat([PNG, Buffer.from('PK')]),
  'a chunk that is longer than the file': changed(PNG, 33, 0xff, 0xff, 0xff, 0xff),
  'fewer lines than it says': png({ width: 20, height: 11, data: PIXELS }),
  'more lines than it says': png({ width: 20, height: 9, data: PIXELS }),
  'pixels that are not packed': png({ width: 20, height: 10, data: Buffer.alloc(610) }),
  'a filter that there is not': png({ width: 20, height: 10, data: deflateSync(Buffer.alloc(610, 5)) }),
  'an animation': png({ width: 20, height: 10, chunks: [chunk('acTL', Buffer.alloc(8))] }),
  'no palette': png({ width: 20, height: 10, colourType: 3 }),
  'no width': headed(0, 0, 0, 0, 0, 0, 0, 10, 8, 2, 0, 0, 0),
  'two billion pixels a side': headed(0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 8, 2, 0, 0, 0),
  'a page in its text': png({ width: 20, height: 10, chunks: [chunk('tEXt', Buffer.from('Comment\0<HTML>'))] }),
};

const BAD_JPEGS: Readonly<Record<string, Buffer>> = {
  'bytes behind its end': Buffer.concat([JPEG, JPEG]),
  'two frames': jpeg({ columns: 4, rows: 2, segments: [segment(0xc0, Buffer.from([8, 0, 8, 0, 8, 0]))] }),
  'twelve bits': jpeg({ columns: 4, rows: 2, precision: 12 }),
  'no width': jpeg({ columns: 4, rows: 2, size: [0, 16] }),
  'a script in its Exif': jpeg({ columns: 4, rows: 2, segments: [exif(1, '<script>alert(1)</script>')] }),
  'a script in a comment': jpeg({ columns: 4, rows: 2, segments: [segment(0xfe, Buffer.from('<?php system("x");'))] }),
};

describe('a logo', () => {
  it('is a PNG or JPEG, whose size is known', () => {
    expect(logoOf(PNG, 'image/png')).toMatchObject({ contentType: 'image/png', width: 20, height: 10 });
    expect(logoOf(JPEG, 'image/jpeg')).toMatchObject({ contentType: 'image/jpeg', width: 32, height: 16 });
  });

  it('has the type that is said', () => {
    const OTHER_TYPE = [expect.objectContaining({ message: expect.stringContaining('as its Content-Type says') })];
    for (const at of [0, 1, 2]) {
      expect(() => logoOf(changed(JPEG, at, 0), 'image/jpeg')).toThrow(refused(OTHER_TYPE));
    }
    expect(() => logoOf(PNG, 'image/jpeg')).toThrow(refused());
    expect(() => logoOf(JPEG, 'image/png')).toThrow(refused());
    for (const text of ['GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF\0\0\0\0WEBP', '%PDF-1.7', 'x'])
      for (const type of ['image/png', 'image/jpeg']) {
        expect(() => logoOf(Buffer.from(text), type)).toThrow(refused([expect.objectContaining({ code: 'picture' })]));
      }
  });

  it.each(Object.entries(BAD_PNGS))('is no PNG with %s', (_, bytes) => {
    expect(() => logoOf(bytes, 'image/png')).toThrow(refused());
  });

  it.each(Object.entries(BAD_JPEGS))('is no JPEG with %s', (_, bytes) => {
    expect(() => logoOf(bytes, 'image/jpeg')).toThrow(refused());
  });

  it('is refused with a script in its text for this reason', () => {
    const chunks = [chunk('tEXt', Buffer.from('Comment\0javascript:alert(1)'))];
    const message = 'Expected a picture without a script or a page in what is said about it.';
    const bytes = png({ width: 20, height: 10, chunks });
    expect(() => logoOf(bytes, 'image/png')).toThrow(refused([expect.objectContaining({ message })]));
  });

  it('is read, or refused as what it is, whatever its bytes are', () => {
    const seeds = [PNG, JPEG, png({ width: 9, height: 9, isInterlaced: true })];
    const change = fc.tuple(fc.nat(), fc.nat(255));
    const mutant = fc.tuple(fc.constantFrom(...seeds), fc.array(change, { maxLength: 8 }), fc.nat());
    fc.assert(
      fc.property(mutant, ([seed, changes, end]) => {
        const bytes = Buffer.from(seed.subarray(0, seed.length - (end % 4 === 0 ? end % seed.length : 0)));
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        for (const type of ['image/png', 'image/jpeg']) {
          try {
            expect(logoOf(bytes, type).width).toBeLessThanOrEqual(2_000);
          } catch (error) {
            expect(error).toEqual(refused());
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
