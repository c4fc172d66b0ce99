import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { parseMinor } from '#shared/domain/money.ts';
import type { Accent } from './accent.ts';
import type { TextStyle } from './typesetter/typesetter.ts';

/** Colours and text styles. Importance shows in weight and colour rather than in size. The colour of an accent is the seller's. */

const INK = '#18212f';
const MUTED = '#626d7d';
export const HAIRLINE = '#dfe3e9';

const WARNING = '#9a6700';
const SUCCESS = '#1a7f4b';
const DANGER = '#b42318';

const TITLE: TextStyle = { sizePoints: 26, leadingPoints: 32, weight: 'semibold', colour: INK };
export const NUMBER: TextStyle = { sizePoints: 11, leadingPoints: 18, weight: 'regular', colour: MUTED };
export const SELLER: TextStyle = { sizePoints: 12, leadingPoints: 17, weight: 'semibold', colour: INK };
/** In the window of an envelope, above the address */
export const SENDER: TextStyle = { sizePoints: 6.5, leadingPoints: 11, weight: 'regular', colour: MUTED };
export const LABEL: TextStyle = {
  sizePoints: 6.75,
  leadingPoints: 14,
  weight: 'semibold',
  colour: MUTED,
  trackingPoints: 0.5,
};
export const NAME: TextStyle = { sizePoints: 10.5, leadingPoints: 14.5, weight: 'semibold', colour: INK };
export const BODY: TextStyle = { sizePoints: 9, leadingPoints: 12.5, weight: 'regular', colour: INK };
export const OVERDUE: TextStyle = { ...BODY, colour: DANGER };
export const ITEM: TextStyle = { sizePoints: 9, leadingPoints: 12.5, weight: 'semibold', colour: INK };
export const DETAIL: TextStyle = { sizePoints: 8.25, leadingPoints: 11.5, weight: 'regular', colour: MUTED };
export const FIGURE: TextStyle = { sizePoints: 9, leadingPoints: 12.5, weight: 'regular', colour: INK };
export const SECTION: TextStyle = { sizePoints: 16, leadingPoints: 24, weight: 'semibold', colour: INK };
export const ENTRY: TextStyle = { ...FIGURE, sizePoints: 8.25, leadingPoints: 11.5 };
export const UNIT: TextStyle = { ...FIGURE, sizePoints: 8.25, colour: MUTED };
export const TOTAL: TextStyle = { sizePoints: 12, leadingPoints: 18, weight: 'semibold', colour: INK };
export const FOOTER: TextStyle = { sizePoints: 7.5, leadingPoints: 11, weight: 'regular', colour: MUTED };

export const titleStyle = ({ title }: Accent): TextStyle => ({ ...TITLE, colour: title });

export const linkStyle = ({ text }: Accent): TextStyle => ({ ...BODY, colour: text });

export const amountDueStyle = ({ text }: Accent): TextStyle => ({
  sizePoints: 19,
  leadingPoints: 26,
  weight: 'semibold',
  colour: text,
});

export const BADGE: TextStyle = { ...LABEL, leadingPoints: 15, colour: '#ffffff' };

/** The longest that fits between two corners of a page. */
export const WATERMARK_WIDTH = 620;

const WATERMARK: TextStyle = { sizePoints: 150, leadingPoints: 150, weight: 'semibold', colour: '#f4f5f8' };

export type StatusMark = 'draft' | 'partPaid' | 'paid' | 'overdue' | 'credited' | 'void';

/** Null for a sent invoice that is neither overdue nor partly paid, and for a credit note. */
export function statusMarkOf({
  status,
  isOverdue,
  amountPaid,
  corrects,
}: Pick<PrintedInvoice, 'status' | 'isOverdue' | 'amountPaid' | 'corrects'>): StatusMark | null {
  if (corrects) return null;
  if (status !== 'sent') return status;
  if (isOverdue) return 'overdue';
  return parseMinor(amountPaid) > 0n ? 'partPaid' : null;
}

/** Behind the word. */
export function badgeColour(mark: StatusMark, { text }: Accent): string {
  return mark === 'partPaid' ? text : BADGE_COLOURS[mark];
}

const BADGE_COLOURS: Readonly<Record<Exclude<StatusMark, 'partPaid'>, string>> = {
  draft: WARNING,
  paid: SUCCESS,
  overdue: DANGER,
  credited: DANGER,
  void: DANGER,
};

/** Invoices that are not to be paid, or not yet, also have the word behind the text. */
export const WATERMARKS = {
  draft: WATERMARK,
  void: { ...WATERMARK, colour: '#fcf0ef' },
} as const;
