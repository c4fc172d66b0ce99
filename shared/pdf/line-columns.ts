import type { LineItem } from '#shared/domain/invoices/invoice.ts';
import { billsTime, clockHours } from '#shared/domain/invoices/printed-time.ts';
import { FIGURE, UNIT } from './look.ts';
import { LEFT, RIGHT } from './page.ts';
import { labelOf, type Printing } from './printing.ts';
import type { Line, TextStyle } from './typesetter.ts';

/**
 * The columns of the table of what is billed. They are as wide as their figures, and the description gets the rest.
 * If long figures leave too little for the description, they are set smaller.
 */

const GAP = 16;
const UNIT_GAP = 4;
const UNIT_WIDTH = 58;
const LEAST_DESCRIPTION_WIDTH = 120;

export interface RowFigures {
  readonly quantity: DecimalFigure;
  readonly unit: readonly Line[];
  readonly price: DecimalFigure;
  readonly tax: Line;
  readonly amount: Line;
}

/** A figure, and the width of the part after its ones. */
export interface DecimalFigure {
  readonly line: Line;
  readonly fractionWidth: number;
}

/** A column of figures whose decimal points stand one below the other. */
export interface DecimalColumn {
  readonly right: number;
  readonly fractionWidth: number;
}

export interface Columns {
  readonly descriptionWidth: number;
  /** The width of all figure columns together, without the gaps */
  readonly figuresWidth: number;
  readonly quantity: DecimalColumn;
  readonly unitX: number;
  readonly price: DecimalColumn;
  readonly taxRight: number;
  /** Whether any line has a tax rate */
  readonly hasTax: boolean;
}

export interface Labels {
  readonly description: Line;
  readonly quantity: Line;
  readonly price: Line;
  readonly tax: Line;
  readonly amount: Line;
}

export function labelsOf(printing: Printing): Labels {
  const { words, invoice } = printing;
  const hasTax = invoice.lineItems.some(({ taxRate }) => taxRate !== null);
  return {
    description: labelOf(printing, words.description),
    quantity: labelOf(printing, words.quantity),
    price: labelOf(printing, words.unitPrice),
    tax: labelOf(printing, hasTax ? words.tax : ''),
    amount: labelOf(printing, `${words.amount} ${invoice.currency}`),
  };
}

/** @returns one for each line of the invoice */
export function fittingFigures(printing: Printing, labels: Labels): readonly RowFigures[] {
  const set = (style: TextStyle) => printing.invoice.lineItems.map((item) => rowFigures(printing, item, style));
  const figures = set(FIGURE);
  const { descriptionWidth, figuresWidth } = columnsOf(labels, figures);
  const missing = LEAST_DESCRIPTION_WIDTH - descriptionWidth;
  if (missing <= 0) return figures;
  return set({ ...FIGURE, sizePoints: FIGURE.sizePoints * (1 - missing / figuresWidth) });
}

function rowFigures({ words, figures, typesetter }: Printing, item: LineItem, style: TextStyle): RowFigures {
  const line = (text: string) => typesetter.line(text, style);
  const decimal = (figure: string) => ({ line: line(figure), fractionWidth: line(figures.fractionOf(figure)).width });
  const [quantity, unit] = billsTime(item)
    ? [clockHours(item.quantity), words.hours]
    : [figures.number(item.quantity), item.unit];
  return {
    quantity: decimal(quantity),
    unit: unit === '' ? [] : typesetter.lines(unit, UNIT, UNIT_WIDTH),
    price: decimal(figures.price(item.price)),
    tax: line(item.taxRate === null ? '' : figures.percent(item.taxRate)),
    amount: line(figures.number(item.amount)),
  };
}

/** From right to left, each column beside the one before. */
export function columnsOf(labels: Labels, figures: readonly RowFigures[]): Columns {
  const amountWidth = widest(
    labels.amount,
    figures.map(({ amount }) => amount),
  );
  const taxWidth = widest(
    labels.tax,
    figures.map(({ tax }) => tax),
  );
  const price = decimalWidths(
    labels.price,
    figures.map(({ price }) => price),
  );
  const unitWidth = largest(figures.flatMap(({ unit }) => unit.map(({ width }) => width)));
  const quantity = decimalWidths(
    labels.quantity,
    figures.map(({ quantity }) => quantity),
  );

  const taxRight = RIGHT - amountWidth - GAP;
  const hasTax = taxWidth > 0;
  const priceRight = hasTax ? taxRight - taxWidth - GAP : taxRight;
  const unitX = priceRight - price.width - GAP - unitWidth;
  const quantityRight = unitWidth === 0 ? unitX : unitX - UNIT_GAP;
  return {
    descriptionWidth: quantityRight - quantity.width - GAP - LEFT,
    figuresWidth: quantity.width + price.width + taxWidth + amountWidth,
    quantity: { right: quantityRight, fractionWidth: quantity.fractionWidth },
    unitX,
    price: { right: priceRight, fractionWidth: price.fractionWidth },
    taxRight,
    hasTax,
  };
}

function decimalWidths(label: Line, figures: readonly DecimalFigure[]): { width: number; fractionWidth: number } {
  const fractionWidth = largest(figures.map((figure) => figure.fractionWidth));
  const wholeWidth = largest(figures.map((figure) => figure.line.width - figure.fractionWidth));
  return { width: Math.max(label.width, wholeWidth + fractionWidth), fractionWidth };
}

function widest(label: Line, lines: readonly Line[]): number {
  return largest(lines.map(({ width }) => width).concat(label.width));
}

/** Not `Math.max(...widths)`: with ten thousand arguments it would overflow the stack of a small machine. */
function largest(widths: readonly number[]): number {
  return widths.reduce((one, other) => Math.max(one, other), 0);
}
