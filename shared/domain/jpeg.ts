import { assertSides, badPicture, type PictureSize } from './picture.ts';

/** A JPEG (ISO/IEC 10918-1) that PDF takes as it is: Huffman-coded, of eight bits, with one picture in it. */
export interface Jpeg extends PictureSize {
  /** 1: grey; 3: red, green and blue; 4: cyan, magenta, yellow and black. */
  readonly components: 1 | 3 | 4;
  /** How the pixels lie, as Exif counts it: 1 is upright, 5 to 8 lie on a side. */
  readonly orientation: number;
  /** Whether it has the mark of Adobe, whose programs store the four colours the other way round. */
  readonly isAdobe: boolean;
  /** Without what is about the picture, such as Exif: where it was taken, and whatever else. */
  readonly plain: Uint8Array;
}

export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;

const BROKEN = 'Expected a whole JPEG: this one is broken or ends too early.';

/** Sequential and progressive frames. Nearly all programs write these. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const [HUFFMAN_TABLES, QUANTA_TABLES] = [0xc4, 0xdb];
const [END, SCAN, RESTART_INTERVAL] = [0xd9, 0xda, 0xdd];
const [APP_0, APP_1, APP_14, APP_15, COMMENT] = [0xe0, 0xe1, 0xee, 0xef, 0xfe];

interface Segment {
  readonly marker: number;
  /** Behind its length. */
  readonly data: Buffer;
  /** With its marker and, of a scan, the pixels that follow. */
  readonly whole: Buffer;
}

/** @throws Problem `validation_failed` */
export function readJpeg(bytes: Uint8Array): Jpeg {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments = segmentsOf(file);
  const [frame, ...otherFrames] = segments.filter(isFrame);
  if (!frame || otherFrames.length > 0) throw badPicture(BROKEN);
  const [precision, , , , , components = 0] = frame.data;
  if (!FRAMES.includes(frame.marker) || precision !== 8) {
    throw badPicture('Expected a JPEG of eight bits, baseline or progressive.');
  }
  if (components !== 1 && components !== 3 && components !== 4) throw badPicture(BROKEN);
  if (frame.data.length !== 6 + 3 * components) throw badPicture(BROKEN);
  const [height, width] = [frame.data.readUInt16BE(1), frame.data.readUInt16BE(3)];
  assertSides({ width, height });
  const exif = segments.find(({ marker, data }) => marker === APP_1 && data.toString('latin1', 0, 6) === 'Exif\0\0');
  const orientation = exif ? orientationOf(exif.data.subarray(6)) : 1;
  return {
    ...(orientation > 4 ? { width: height, height: width } : { width, height }),
    components,
    orientation,
    isAdobe: segments.some(isOfAdobe),
    plain: Buffer.concat([file.subarray(0, 2), ...segments.flatMap((each) => (isAbout(each) ? [] : [each.whole]))]),
  };
}

function segmentsOf(file: Buffer): Segment[] {
  const segments: Segment[] = [];
  const has = (wanted: number) => segments.some(({ marker }) => marker === wanted);
  let at = 2;
  while (!has(END)) {
    const start = at;
    while (file[at] === 0xff && file[at + 1] === 0xff) at++;
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff || !isOfSegment(marker)) throw badPicture(BROKEN);
    const from = at + 2;
    at = marker === END ? from : endOfSegment(file, from);
    const data = file.subarray(from + 2, at);
    if (marker === SCAN) {
      const isReadable = has(HUFFMAN_TABLES) && has(QUANTA_TABLES) && segments.some(isFrame);
      if (!isReadable) throw badPicture(BROKEN);
      at = endOfScan(file, at);
    }
    segments.push({ marker, data, whole: file.subarray(start, at) });
  }
  if (!has(SCAN)) throw badPicture(BROKEN);
  if (at !== file.length) throw badPicture('Expected a JPEG, and nothing behind its end.');
  return segments;
}

function isOfSegment(marker: number): boolean {
  const isOfTables = marker >= END && marker <= RESTART_INTERVAL;
  return isOfCoding(marker) || isOfTables || (marker >= APP_0 && marker <= APP_15) || marker === COMMENT;
}

const isOfCoding = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8;

/** Of any coding. Those of its range that are no frames are two kinds of tables. */
const isFrame = ({ marker }: Segment): boolean => isOfCoding(marker) && marker !== HUFFMAN_TABLES && marker !== 0xcc;

/** It may lie behind the end of the file, where nothing follows. */
function endOfSegment(file: Buffer, from: number): number {
  const length = from + 1 < file.length ? file.readUInt16BE(from) : 0;
  if (length < 2) throw badPicture(BROKEN);
  return from + length;
}

/** Pixels have no marker in them but for restarts; a zero follows each byte of theirs that looks like one. */
function endOfScan(file: Buffer, from: number): number {
  const isOfPixels = (byte = 0xff) => byte === 0 || (byte >= 0xd0 && byte <= 0xd7);
  let at = file.indexOf(0xff, from);
  while (at !== -1 && isOfPixels(file[at + 1])) at = file.indexOf(0xff, at + 2);
  if (at === -1 || at === from) throw badPicture(BROKEN);
  return at;
}

const isOfAdobe = ({ marker, data }: Segment): boolean =>
  marker === APP_14 && data.toString('latin1', 0, 5) === 'Adobe';

/** Not those that say how to read the colours: JFIF, and Adobe's. */
function isAbout(segment: Segment): boolean {
  const { marker } = segment;
  return marker === COMMENT || (marker > APP_0 && marker <= APP_15 && !isOfAdobe(segment));
}

const ORIENTATION_TAG = 0x0112;
const ENTRY_BYTES = 12;

/** @param exif from the header of TIFF on; one that cannot be read says nothing */
function orientationOf(exif: Buffer): number {
  const isLittle = exif.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (at + 2 > exif.length ? 0 : isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  // The directory is near: its offset has two more bytes, which are zero.
  const directory = short(isLittle ? 4 : 6);
  const entries = Array.from({ length: short(directory) }, (_, index) => directory + 2 + index * ENTRY_BYTES);
  const entry = entries.find((at) => short(at) === ORIENTATION_TAG);
  const orientation = entry === undefined ? 1 : short(entry + 8);
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}
