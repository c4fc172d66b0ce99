import jsqr from 'jsqr';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

/** Pixels for each point. */
const SCALE = 3;

/** The text of the first code on the first page, as a scanner sees the filled boxes of the page; null without a code. */
export async function readCode(bytes: Uint8Array): Promise<string | null> {
  const document = await getDocumentProxy(bytes.slice(), { verbosity: 0 });
  const page = await document.getPage(1);
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const viewport = page.getViewport({ scale: SCALE });
  const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  let colour = [0, 0, 0];
  fnArray.forEach((operator, index) => {
    const [first, , box] = argsArray[index] ?? [];
    if (operator === OPS.setFillRGBColor) colour = channelsOf(String(first));
    // The page moves its content to the margin, and turns it upside down, as pixels are.
    if (operator === OPS.constructPath)
      fillBox(pixels, width, scaled(box, (viewport.width / SCALE - 487.28) / 2), colour);
  });
  await document.loadingTask.destroy();
  return jsqr.default(pixels, width, height)?.data ?? null;
}

const channelsOf = (colour: string): number[] =>
  (colour.match(/[0-9a-f]{2}/g) ?? []).map((channel) => Number.parseInt(channel, 16));

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function scaled(box: ArrayLike<number>, margin: number): Box {
  const pixel = (points: number | undefined) => Math.round((points ?? 0) * SCALE);
  return {
    left: pixel((box[0] ?? 0) + margin),
    top: pixel(box[1]),
    right: pixel((box[2] ?? 0) + margin),
    bottom: pixel(box[3]),
  };
}

function fillBox(
  pixels: Uint8ClampedArray,
  width: number,
  { left, top, right, bottom }: Box,
  colour: readonly number[],
) {
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) pixels.set(colour, (y * width + x) * 4);
  }
}
