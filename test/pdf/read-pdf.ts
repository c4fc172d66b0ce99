import { getDocumentProxy } from 'unpdf';

/** A PDF as a reader sees it, read by Mozilla's library, which has nothing in common with the one that writes ours. */

interface PdfText {
  readonly text: string;
  /** Lengths in points, from the lower left corner */
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly size: number;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** In the order in which they are read, spaces aside */
  readonly texts: readonly PdfText[];
  /** Their text without white space: a PDF has places instead */
  readonly squeezed: string;
}

export interface Pdf {
  readonly pages: readonly PdfPage[];
  readonly info: Readonly<Record<string, unknown>>;
}

export const squeeze = (text: string) => text.replaceAll(/\s/g, '');

/** The text of all pages, without white space. */
export const allText = ({ pages }: Pdf) => pages.map(({ squeezed }) => squeezed).join('');

/** @param wanted numbers of the pages to read; all if absent */
export async function readPdf(bytes: Uint8Array, wanted?: (pageCount: number) => readonly number[]): Promise<Pdf> {
  const document = await getDocumentProxy(bytes.slice(), { verbosity: 0 });
  const numbers = wanted?.(document.numPages) ?? Array.from({ length: document.numPages }, (_, index) => index + 1);
  const pages: PdfPage[] = [];
  for (const number of numbers) pages.push(await readPage(await document.getPage(number)));
  const { info } = await document.getMetadata();
  await document.loadingTask.destroy();
  return { pages, info: { ...info, pageCount: document.numPages } };
}

interface PageProxy {
  getViewport(options: { readonly scale: number }): { readonly width: number; readonly height: number };
  getOperatorList(): Promise<{ readonly fnArray: readonly number[]; readonly argsArray: readonly unknown[] }>;
  getTextContent(options: { readonly disableNormalization: true }): Promise<{ readonly items: readonly object[] }>;
}

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
}

async function readPage(page: PageProxy): Promise<PdfPage> {
  const { items } = await page.getTextContent({ disableNormalization: true });
  const runs = items.filter((item): item is Item => 'str' in item);
  const { width, height } = page.getViewport({ scale: 1 });
  return {
    width,
    height,
    texts: runs.filter(({ str }) => str.trim() !== '').map(placed),
    squeezed: squeeze(runs.map(({ str }) => str).join('')),
  };
}

/** Of each page, whether a shape stands slanted. It takes as long as to read the texts. */
export async function watermarksIn(bytes: Uint8Array): Promise<boolean[]> {
  const document = await getDocumentProxy(bytes.slice(), { verbosity: 0 });
  const slanted: boolean[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    slanted.push(await hasSlantedShape(await document.getPage(number)));
  }
  await document.loadingTask.destroy();
  return slanted;
}

/** As Mozilla's library numbers a change of the coordinates, and a path. */
const [TRANSFORM, PATH] = [12, 91];

async function hasSlantedShape(page: PageProxy): Promise<boolean> {
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.some((operator, index) => {
    const matrix = argsArray[index];
    const isSlant = operator === TRANSFORM && Array.isArray(matrix) && matrix[0] !== 0 && matrix[1] !== 0;
    return isSlant && fnArray.slice(index).includes(PATH);
  });
}

function placed({ str, transform, width }: Item): PdfText {
  const [size = 0, , , , left = 0, baseline = 0] = transform;
  return { text: str, left, right: left + width, baseline, size };
}
