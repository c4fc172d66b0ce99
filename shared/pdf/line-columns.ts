import type { LineItem } from '#shared/domain/invoices/invoice.ts';
import { billsTime, clockHours } from '#shared/domain/invoices/printed-time.ts';
import { memoized } from '#shared/runtime/memoized.ts';
import { LEFT, RIGHT } from './page.ts';
import { labelOf, type Printing } from './printing.ts';
import { FIGURE, UNIT } from './styles.ts';
import type { Line, TextStyle } from './typesetter/typesetter.ts';

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

export interface DecimalFigure {
  readonly line: Line;
  /** The width from the decimal point on */
  readonly fractionWidth: number;
}

export interface DecimalColumn {
  readonly right: number;
  readonly fractionWidth: number;
}

export type Labels = Readonly<Record<'description' | 'quantity' | 'price' | 'tax' | 'amount', Line>>;

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

/** The figures of each line, in a smaller size if they leave too little width for the description. */
export function fittingFigures(printing: Printing, labels: Labels): readonly RowFigures[] {
  const set = (style: TextStyle) => printing.invoice.lineItems.map(rowWriter(printing, style));
  const figures = set(FIGURE);
  const { descriptionWidth, figuresWidth } = columnsOf(labels, figures);
  const missing = LEAST_DESCRIPTION_WIDTH - descriptionWidth;
  if (missing <= 0) return figures;
  return set({ ...FIGURE, sizePoints: FIGURE.sizePoints * (1 - missing / figuresWidth) });
}

/** Sets what comes again in many rows once: fractions, units and rates of tax. */
function rowWriter({ words, figures, typesetter }: Printing, style: TextStyle): (item: LineItem) => RowFigures {
  const line = (text: string) => typesetter.line(text, style);
  const sameLine = memoized(line);
  const sameUnit = memoized((unit: string) => (unit === '' ? [] : typesetter.lines(unit, UNIT, UNIT_WIDTH)));
  const decimal = (text: string) => ({ line: line(text), fractionWidth: sameLine(figures.fractionOf(text)).width });
  return (item) => {
    const [quantity, unit] = billsTime(item)
      ? [clockHours(item.quantity), words.hours]
      : [figures.number(item.quantity), figures.unit(item.unit, item.quantity)];
    return {
      quantity: decimal(quantity),
      unit: sameUnit(unit),
      price: decimal(figures.money(item.price)),
      tax: sameLine(item.taxRate === null ? '' : figures.percent(item.taxRate)),
      amount: line(figures.money(item.amount)),
    };
  };
}

export type Columns = ReturnType<typeof columnsOf>;

export function columnsOf(labels: Labels, figures: readonly RowFigures[]) {
  const amountWidth = widest([labels.amount, ...figures.map(({ amount }) => amount)]);
  const taxWidth = widest([labels.tax, ...figures.map(({ tax }) => tax)]);
  const unitWidth = widest(figures.flatMap(({ unit }) => unit));
  const prices = figures.map(({ price }) => price);
  const price = decimalWidths(labels.price, prices);
  const quantities = figures.map(({ quantity }) => quantity);
  const quantity = decimalWidths(labels.quantity, quantities);

  const taxRight = RIGHT - amountWidth - GAP;
  const hasTax = taxWidth > 0;
  const priceRight = hasTax ? taxRight - taxWidth - GAP : taxRight;
  const unitX = priceRight - price.width - GAP - unitWidth;
  const quantityRight = unitWidth === 0 ? unitX : unitX - UNIT_GAP;
  return {
    descriptionWidth: quantityRight - quantity.width - GAP - LEFT,
    /** All columns of figures, without the gaps */
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

function widest(lines: readonly Line[]): number {
  return largest(lines.map(({ width }) => width));
}

/** `Math.max(...widths)` would overflow the stack with ten thousand arguments. */
function largest(widths: readonly number[]): number {
  return widths.reduce((one, other) => Math.max(one, other), 0);
}
