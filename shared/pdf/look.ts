import type { TextStyle } from './typesetter.ts';

/** Colours and text styles: one family in few sizes. Weight and colour show what matters, not size. */

const INK = '#18212f';
const MUTED = '#626d7d';
export const ACCENT = '#1d4e89';
export const HAIRLINE = '#dfe3e9';
export const STRONG_LINE = '#18212f';

const WARNING = '#9a6700';
const SUCCESS = '#1a7f4b';
const DANGER = '#b42318';

export const TITLE: TextStyle = { sizePoints: 26, leadingPoints: 32, weight: 'semibold', colour: INK };
export const NUMBER: TextStyle = { sizePoints: 11, leadingPoints: 18, weight: 'regular', colour: MUTED };
export const SELLER: TextStyle = { sizePoints: 12, leadingPoints: 17, weight: 'semibold', colour: INK };
export const LABEL: TextStyle = {
  sizePoints: 6.75,
  leadingPoints: 14,
  weight: 'semibold',
  colour: MUTED,
  trackingPoints: 0.5,
};
export const NAME: TextStyle = { sizePoints: 10.5, leadingPoints: 15, weight: 'semibold', colour: INK };
export const BODY: TextStyle = { sizePoints: 9, leadingPoints: 13.5, weight: 'regular', colour: INK };
export const ITEM: TextStyle = { sizePoints: 9, leadingPoints: 13, weight: 'semibold', colour: INK };
export const DETAIL: TextStyle = { sizePoints: 8.25, leadingPoints: 12, weight: 'regular', colour: MUTED };
export const FIGURE: TextStyle = { sizePoints: 9, leadingPoints: 13, weight: 'regular', colour: INK };
export const UNIT: TextStyle = { ...FIGURE, sizePoints: 8.25, colour: MUTED };
export const TOTAL: TextStyle = { sizePoints: 12, leadingPoints: 20, weight: 'semibold', colour: INK };
export const AMOUNT_DUE: TextStyle = { sizePoints: 19, leadingPoints: 26, weight: 'semibold', colour: ACCENT };
export const FOOT: TextStyle = { sizePoints: 7.5, leadingPoints: 12, weight: 'regular', colour: MUTED };

const BADGE: TextStyle = { ...LABEL, leadingPoints: 15, colour: '#ffffff' };
const WATERMARK: TextStyle = { sizePoints: 150, leadingPoints: 150, weight: 'semibold', colour: '#f4f5f8' };

/**
 * How a status shows: as a word on a coloured ground. If the invoice is not to be paid, or not yet, the word also
 * stands behind the text.
 */
export const BADGES = {
  draft: { text: 'DRAFT', style: BADGE, colour: WARNING },
  sent: null,
  paid: { text: 'PAID', style: BADGE, colour: SUCCESS },
  void: { text: 'VOID', style: BADGE, colour: DANGER },
} as const;

export const WATERMARKS = {
  draft: { text: 'DRAFT', style: WATERMARK },
  sent: null,
  paid: null,
  void: { text: 'VOID', style: { ...WATERMARK, colour: '#fcf0ef' } },
} as const;
