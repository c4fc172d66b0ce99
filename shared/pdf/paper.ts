import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { CONTENT_WIDTH } from './page.ts';
import { FOLDS, hasWindow, LETTER_MARGIN } from './window.ts';

/** In points. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  /** At the left edge */
  readonly margin: number;
  /** Marks at the left edge of the first page, from the top */
  readonly folds: readonly number[];
}

const A4 = { width: 595.28, height: 841.89 };
const LETTER = { width: 612, height: 792 };

const COUNTRIES_OF_LETTER = ['US', 'CA', 'MX', 'PH'];

export function paperOf({ locale, seller, customer }: PrintedInvoice): Paper {
  const isEnglish = (locale ?? 'en') === 'en';
  const usesLetter = [seller, customer].some(({ countryCode }) => COUNTRIES_OF_LETTER.includes(countryCode ?? ''));
  const size = isEnglish && usesLetter ? LETTER : A4;
  if (!hasWindow(seller)) return { ...size, margin: (size.width - CONTENT_WIDTH) / 2, folds: [] };
  return { ...size, margin: LETTER_MARGIN, folds: size === A4 ? FOLDS : [] };
}
