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
    if (operator !== OPS.constructPath) return;
    // The page moves its content to the margin, and turns it upside down, as pixels are.
    const margin = (viewport.width / SCALE - 487.28) / 2;
    const pixel = (at: number, origin: number) => Math.round((Number(box[at]) + origin) * SCALE);
    for (let y = pixel(1, 0); y < pixel(3, 0); y++) {
      for (let x = pixel(0, margin); x < pixel(2, margin); x++) pixels.set(colour, (y * width + x) * 4);
    }
  });
  await document.loadingTask.destroy();
  return jsqr.default(pixels, width, height)?.data ?? null;
}

const channelsOf = (colour: string): number[] =>
  (colour.match(/[0-9a-f]{2}/g) ?? []).map((channel) => Number.parseInt(channel, 16));
