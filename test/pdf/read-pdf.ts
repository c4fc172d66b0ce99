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

export async function readPdf(bytes: Uint8Array): Promise<Pdf> {
  const document = await getDocumentProxy(bytes.slice(), { verbosity: 0 });
  const pages: PdfPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent({ disableNormalization: true });
    const runs = items.filter((item) => 'str' in item);
    const texts = runs.map(({ str, transform, width }): PdfText => {
      const [size = 0, , , , left = 0, baseline = 0]: readonly number[] = transform;
      return { text: str, left, right: left + width, baseline, size };
    });
    const { width, height } = page.getViewport({ scale: 1 });
    const squeezed = squeeze(runs.map(({ str }) => str).join(''));
    pages.push({ width, height, texts: texts.filter(({ text }) => text.trim() !== ''), squeezed });
  }
  const { info } = await document.getMetadata();
  await document.loadingTask.destroy();
  return { pages, info: { ...info } };
}
