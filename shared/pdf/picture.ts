import { deflateSync } from 'node:zlib';
import type { PDFDocument, Reference } from 'pdfkit';
import { type Jpeg, readJpeg } from '#shared/domain/jpeg.ts';
import type { PictureSize } from '#shared/domain/picture.ts';
import { eachPixel, isPng, type Png, readPng } from '#shared/domain/png.ts';

/** A picture with the size that it is drawn in, in points. */
export interface Picture extends PictureSize {
  /** Of the unit square that PDF draws it in, from its stored to its upright side */
  readonly turn: Matrix;
  /** Writes it into the document, as PDF/A takes it: in red, green and blue, or grey. */
  embed(document: PDFDocument): Reference;
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

const POINTS_PER_MILLIMETRE = 72 / 25.4;
const MOST_WIDTH = 60 * POINTS_PER_MILLIMETRE;
const MOST_HEIGHT = 20 * POINTS_PER_MILLIMETRE;

/** With 96 pixels an inch, it is as large as on a screen. */
const POINTS_PER_PIXEL = 72 / 96;

/** What a printer shows of a picture. More would make the document larger, and nothing sharper. */
const DOTS_PER_POINT = 300 / 72;

/** @param bytes a logo that was checked when it was set */
export function pictureOf(bytes: Uint8Array): Picture {
  const picture = isPng(bytes) ? readPng(bytes) : readJpeg(bytes);
  const scale = Math.min(MOST_WIDTH / picture.width, MOST_HEIGHT / picture.height, POINTS_PER_PIXEL);
  const size = { width: scale * picture.width, height: scale * picture.height };
  if ('plain' in picture) {
    const turn = TURNS[picture.orientation - 1] ?? UPRIGHT;
    return { ...size, turn, embed: (document) => embedJpeg(document, picture) };
  }
  return { ...size, turn: UPRIGHT, embed: (document) => embedPng(document, picture, size) };
}

const UPRIGHT: Matrix = [1, 0, 0, 1, 0, 0];

/** By the orientation of Exif, from 1 on. */
const TURNS: readonly Matrix[] = [
  UPRIGHT,
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
];

function embedJpeg(document: PDFDocument, { width, height, components, orientation, isAdobe, plain }: Jpeg): Reference {
  const [Width, Height] = orientation > 4 ? [height, width] : [width, height];
  return written(document, { Width, Height, ...coloursOf(document, components, isAdobe), Filter: 'DCTDecode' }, plain);
}

function coloursOf(document: PDFDocument, components: Jpeg['components'], isAdobe: boolean): object {
  if (components === 1) return { ColorSpace: 'DeviceGray' };
  if (components === 3) return { ColorSpace: 'DeviceRGB' };
  const ColorSpace = ['DeviceN', INKS, 'DeviceRGB', inksAsLight(document)];
  return { ColorSpace, ...(isAdobe && { Decode: INKS.flatMap(() => [1, 0]) }) };
}

const INKS = ['Cyan', 'Magenta', 'Yellow', 'Black'];

/** PDF/A takes the four colours of a press only with a profile of that press. This says which light they are like. */
function inksAsLight(document: PDFDocument): Reference {
  const program =
    '{ 1 exch sub dup dup 6 -1 roll 1 exch sub mul 5 1 roll 4 -1 roll 1 exch sub mul 3 1 roll exch 1 exch sub mul }';
  const range = (count: number) => Array.from({ length: count }, () => [0, 1]).flat();
  const light = document.ref({ FunctionType: 4, Domain: range(INKS.length), Range: range(3) });
  light.end(new TextEncoder().encode(program));
  return light;
}

const OPAQUE = 255;

/** Each of its pixels is the mean of those that lie under it, by their opacity. */
function embedPng(document: PDFDocument, png: Png, drawn: PictureSize): Reference {
  const dots = (length: number) => Math.max(1, Math.round(length * DOTS_PER_POINT));
  const [Width, Height] = [Math.min(png.width, dots(drawn.width)), Math.min(png.height, dots(drawn.height))];
  // Of each: red, green, blue, opacity, and how many there are.
  const sums = new Float64Array(5 * Width * Height);
  const add = (at: number, value: number) => {
    sums[at] = (sums[at] ?? 0) + value;
  };
  eachPixel(png, (x, y, red, green, blue, opacity) => {
    const at = 5 * (Math.floor((y * Height) / png.height) * Width + Math.floor((x * Width) / png.width));
    add(at, opacity * red);
    add(at + 1, opacity * green);
    add(at + 2, opacity * blue);
    add(at + 3, opacity);
    add(at + 4, 1);
  });
  const [colours, opacities] = [new Uint8Array(3 * Width * Height), new Uint8Array(Width * Height)];
  for (let i = 0; i < opacities.length; i++) {
    const [red = 0, green = 0, blue = 0, opacity = 0, count = 1] = sums.subarray(5 * i, 5 * i + 5);
    colours.set(
      [red, green, blue].map((sum) => Math.round(sum / (opacity || 1))),
      3 * i,
    );
    opacities[i] = Math.round(opacity / count);
  }
  const size = { Width, Height, Filter: 'FlateDecode' };
  const mask = () => written(document, { ...size, ColorSpace: 'DeviceGray' }, deflateSync(opacities));
  const isOpaque = opacities.every((opacity) => opacity === OPAQUE);
  return written(
    document,
    { ...size, ColorSpace: 'DeviceRGB', ...(!isOpaque && { SMask: mask() }) },
    deflateSync(colours),
  );
}

function written(document: PDFDocument, dictionary: object, bytes: Uint8Array): Reference {
  const picture = document.ref({ Type: 'XObject', Subtype: 'Image', BitsPerComponent: 8, ...dictionary });
  picture.end(bytes);
  return picture;
}
