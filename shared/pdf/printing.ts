import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { type Accent, accentOf } from './accent.ts';
import { createFigures, type Figures } from './figures.ts';
import { type Paper, paperOf } from './paper.ts';
import type { Picture } from './picture.ts';
import { LABEL } from './styles.ts';
import type { Line, TextStyle, Typesetter } from './typesetter/typesetter.ts';
import { type Words, wordsOf } from './words/words.ts';

export interface Printing {
  readonly invoice: PrintedInvoice;
  readonly words: Words;
  readonly figures: Figures;
  readonly typesetter: Typesetter;
  readonly paper: Paper;
  readonly accent: Accent;
  readonly logo?: Picture;
}

export function printingOf(invoice: PrintedInvoice, typesetter: Typesetter, logo?: Picture): Printing {
  const { currency, seller } = invoice;
  const locale = invoice.locale ?? 'en';
  return {
    invoice,
    words: wordsOf(locale, seller.countryCode),
    figures: createFigures(locale, currency, seller.countryCode),
    typesetter,
    paper: paperOf(invoice),
    accent: accentOf(seller.accentColor),
    logo,
  };
}

export function labelOf({ figures, typesetter }: Printing, word: string): Line {
  return typesetter.line(figures.capitals(word), LABEL);
}

export function kindOf({ invoice, words }: Pick<Printing, 'invoice' | 'words'>): string {
  return invoice.corrects ? words.creditNote : words.invoice;
}

export function titleOf(printing: Pick<Printing, 'invoice' | 'words'>): string {
  const { invoice, words } = printing;
  return invoice.number === null ? words.draftInvoice : `${kindOf(printing)} ${invoice.number}`;
}

/** One line, in a smaller size if it would be too wide. */
export function fitting(text: string, style: TextStyle, widthPoints: number, typesetter: Typesetter): Line {
  const line = typesetter.line(text, style);
  if (line.width <= widthPoints) return line;
  return typesetter.line(text, { ...style, sizePoints: (style.sizePoints * widthPoints) / line.width });
}
