import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';

/** In points. */
export interface Paper {
  readonly width: number;
  readonly height: number;
}

const A4: Paper = { width: 595.28, height: 841.89 };
const LETTER: Paper = { width: 612, height: 792 };

const COUNTRIES_OF_LETTER = ['US', 'CA', 'MX', 'PH'];

export function paperOf({ locale, seller, customer }: PrintedInvoice): Paper {
  const isEnglish = (locale ?? 'en') === 'en';
  const usesLetter = [seller, customer].some(({ countryCode }) => COUNTRIES_OF_LETTER.includes(countryCode ?? ''));
  return isEnglish && usesLetter ? LETTER : A4;
}
