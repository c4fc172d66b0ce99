import { describe, expect, it } from 'vitest';
import { readJpeg } from '#shared/domain/jpeg.ts';
import { ADOBE, ALL_BYTES, changed, exif, isReadBy, jpeg, segment } from '#test/support/pictures.ts';

const JPEG = jpeg({ columns: 4, rows: 2 });

/** Its beginning, its segments, of which the last has the pixels behind it, and its end. */
const PARTS = JPEG.toString('latin1').split(/(?=\xff[\xc0\xc4\xd9-\xdb])/);
const bytesOf = (parts: readonly string[]) => Buffer.from(parts.join(''), 'latin1');
const withSegment = (made: Uint8Array) => jpeg({ columns: 4, rows: 2, segments: [made] });

describe('a JPEG', () => {
  const isRead = isReadBy(readJpeg);
  const saying = (words: string) =>
    expect.objectContaining({ code: 'validation_failed', message: expect.stringContaining(words) });

  it('has these segments beside its frame and pixels', () => {
    const tables = [0xc4, 0xcc, 0xdb, 0xdc, 0xdd];
    const about = [...Array.from({ length: 16 }, (_, i) => 0xe0 + i), 0xfe];
    for (const data of [Buffer.alloc(0), Buffer.alloc(2)]) {
      expect(ALL_BYTES.filter((marker) => isRead(withSegment(segment(marker, data))))).toEqual([...tables, ...about]);
    }
  });

  it('has one of three frames, and is told if it has another one', () => {
    const framed = (frame: number) => jpeg({ columns: 4, rows: 2, frame });
    expect(ALL_BYTES.filter((frame) => isRead(framed(frame)))).toEqual([0xc0, 0xc1, 0xc2]);
    for (const frame of [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]) {
      expect(() => readJpeg(framed(frame))).toThrow(saying('eight bits'));
    }
    for (const none of [0xbf, 0xc4, 0xc8, 0xcc, 0xd0]) expect(() => readJpeg(framed(none))).toThrow(saying('broken'));
  });

  it('has a frame of one, three or four components, and as long as these', () => {
    const framed = (components: number, bytes: number) => {
      const frame = Buffer.concat([Buffer.from([8, 0, 16, 0, 32, components]), Buffer.alloc(bytes)]);
      return bytesOf(PARTS.map((part) => (part[1] === '\xc0' ? segment(0xc0, frame).toString('latin1') : part)));
    };
    const counts = [1, 2, 3, 4, 5];
    expect(counts.filter((count) => isRead(framed(count, 3 * count)))).toEqual([1, 3, 4]);
    for (const count of [1, 3, 4]) expect(readJpeg(framed(count, 3 * count)).components).toBe(count);
    for (const more of [-1, 1]) expect(counts.filter((count) => isRead(framed(count, 3 * count + more)))).toEqual([]);
  });

  it('ends nowhere before its end', () => {
    const about = jpeg({ columns: 4, rows: 2, segments: [ADOBE, exif(6)] });
    expect(Array.from(about.keys()).filter((length) => isRead(about.subarray(0, length)))).toEqual([]);
  });

  it('needs each of its parts, and has its pixels last', () => {
    for (const position of PARTS.keys()) {
      const others = PARTS.toSpliced(position, 1);
      const [part = ''] = PARTS.slice(position);
      // Either table of Huffman is one.
      if (part[1] !== '\xc4') expect(isRead(bytesOf(others))).toBe(false);
      if (/^.[\xc0\xdb]/.test(part)) expect(isRead(bytesOf(others.toSpliced(-1, 0, part)))).toBe(false);
    }
    expect(isRead(bytesOf(PARTS.filter((part) => part[1] !== '\xc4')))).toBe(false);
    const scanHeader = (part: string) => part.slice(0, 2 + part.charCodeAt(2) * 256 + part.charCodeAt(3));
    expect(isRead(bytesOf(PARTS.map((part) => (part[1] === '\xda' ? scanHeader(part) : part))))).toBe(false);
  });

  it('has segments that are as long as they say', () => {
    for (const position of PARTS.slice(1, -1).keys()) {
      const start = bytesOf(PARTS.slice(0, position + 1)).length;
      const length = JPEG.readUInt16BE(start + 2);
      const isScan = JPEG[start + 1] === 0xda;
      for (const wrong of [0, 1, 0xffff, ...(isScan ? [] : [2, length - 1, length + 1])]) {
        expect(isRead(changed(JPEG, start + 2, wrong >> 8, wrong & 255))).toBe(false);
      }
    }
  });

  it('may have restarts among its pixels, and bytes of ones before each marker', () => {
    const ending = (byte: number) => bytesOf(PARTS.toSpliced(-1, 0, `\xff${String.fromCharCode(byte)}`));
    const restarts = [0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7];
    expect(ALL_BYTES.filter((byte) => isRead(ending(byte)))).toEqual([0, ...restarts, 0xff]);
    const filled = bytesOf(PARTS.flatMap((part, position) => (position === 0 ? [part] : ['\xff\xff', part])));
    expect(readJpeg(filled)).toEqual({ ...readJpeg(JPEG), plain: filled });
  });

  it('is stored without what is about it, and otherwise as it came', () => {
    const kept = [segment(0xe0, Buffer.from('JFIF\0')), ADOBE];
    const adobe = [0xed, 0xef].map((marker) => segment(marker, Buffer.from('Adobe')));
    const others = ALL_BYTES.slice(0xe1, 0xf0).map((marker) => segment(marker, Buffer.from('Other')));
    const dropped = [...adobe, ...others, exif(3), segment(0xfe, Buffer.from('Made by hand'))];
    const plain = jpeg({ columns: 4, rows: 2, segments: kept });
    expect(readJpeg(jpeg({ columns: 4, rows: 2, segments: [...kept, ...dropped] }))).toEqual({
      ...readJpeg(JPEG),
      orientation: 3,
      isAdobe: true,
      plain,
    });
    expect(readJpeg(jpeg({ columns: 4, rows: 2, segments: dropped }))).toMatchObject({ isAdobe: false, plain: JPEG });
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('lies as its Exif says, if that is possible: %i', (orientation) => {
    const [width, height] = orientation >= 5 && orientation <= 8 ? [16, 32] : [32, 16];
    const turn = orientation >= 1 && orientation <= 8 ? orientation : 1;
    for (const order of ['II', 'MM'] as const) {
      const turned = withSegment(exif(orientation, '', order));
      expect(readJpeg(turned)).toMatchObject({ width, height, orientation: turn });
    }
  });

  it('lies as an Exif says that ends right behind that, and upright where it ends before', () => {
    const widthOf = (missing: number) => {
      const ending = segment(0xe1, exif(6).subarray(4, -missing));
      return readJpeg(withSegment(ending)).width;
    };
    expect([widthOf(6), widthOf(7)]).toEqual([16, 32]);
  });

  it('says how it lies in its first Exif alone', () => {
    const elsewhere = changed(exif(6), 1, 0xe2);
    const segments = [elsewhere, segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0')), exif(3), exif(6)];
    expect(readJpeg(jpeg({ columns: 4, rows: 2, segments })).orientation).toBe(3);
    expect(readJpeg(withSegment(elsewhere)).orientation).toBe(1);
  });
});
