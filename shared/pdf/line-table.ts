import type { LineItem } from '#shared/domain/invoices/invoice.ts';
import { grouped, percentFigure, priceFigure } from './figures.ts';
import { type Flow, NO_HEAD, type PageHead } from './flow.ts';
import { DETAIL, FIGURE, HAIRLINE, ITEM, LABEL, STRONG_LINE, UNIT } from './look.ts';
import { heightOf, LEFT, type Mark, RIGHT, rule, stacked, textFromLeft, textToRight } from './page.ts';
import type { Line, TextStyle, Typesetter } from './typesetter.ts';

/**
 * The table of what is billed. Its columns are as wide as their figures, and the description gets the rest. If long
 * figures leave too little for the description, they are set smaller.
 */

const GAP = 16;
const UNIT_GAP = 4;
const UNIT_WIDTH = 58;
const LEAST_DESCRIPTION_WIDTH = 120;
const ROW_PADDING = 6.5;
const HEAD_HEIGHT = 22;

/** A row up to this share of a page is never split. */
const WHOLE_ROW_SHARE = 0.35;

/** At least this many lines of a split row stay together, so no line stands alone on a page. */
const LINES_TOGETHER = 3;

interface Figures {
  readonly quantity: DecimalFigure;
  readonly unit: readonly Line[];
  readonly price: DecimalFigure;
  readonly tax: Line;
  readonly amount: Line;
}

/** A figure, and the width of the part after its ones. */
interface DecimalFigure {
  readonly line: Line;
  readonly fractionWidth: number;
}

/** A column of figures whose decimal points stand one below the other. */
interface DecimalColumn {
  readonly right: number;
  readonly fractionWidth: number;
}

interface Columns {
  readonly descriptionWidth: number;
  /** The width of all figure columns together, without the gaps */
  readonly figuresWidth: number;
  readonly quantity: DecimalColumn;
  readonly unitX: number;
  readonly price: DecimalColumn;
  readonly taxRight: number;
}

interface Labels {
  readonly description: Line;
  readonly quantity: Line;
  readonly price: Line;
  readonly tax: Line;
  readonly amount: Line;
}

/** @param heightAfter the height of what must share a page with the last row */
export function placeLineTable(
  flow: Flow,
  typesetter: Typesetter,
  { lineItems, currency }: { readonly lineItems: readonly LineItem[]; readonly currency: string },
  heightAfter: number,
): void {
  const labels = labelsOf(typesetter, lineItems, currency);
  const figures = fittingFigures(typesetter, labels, lineItems, currency);
  const columns = columnsOf(labels, figures);
  const head = headOf(labels, columns);
  flow.ensure(head.height + LINES_TOGETHER * ITEM.leadingPoints + ROW_PADDING);
  flow.place(head.height, head.marks);
  flow.continueWith(head);
  lineItems.forEach((item, index) => {
    const ownFigures = figures[index];
    const text = textOf(typesetter, item, columns.descriptionWidth);
    const isLast = index === lineItems.length - 1;
    if (ownFigures) placeRow(flow, text, ownFigures, columns, isLast ? heightAfter : 0);
  });
  flow.continueWith(NO_HEAD);
}

function labelsOf(typesetter: Typesetter, items: readonly LineItem[], currency: string): Labels {
  const label = (text: string) => typesetter.line(text, LABEL);
  return {
    description: label('DESCRIPTION'),
    quantity: label('QUANTITY'),
    price: label('UNIT PRICE'),
    tax: label(items.some(({ taxRate }) => taxRate !== null) ? 'TAX' : ''),
    amount: label(`AMOUNT ${currency}`),
  };
}

function fittingFigures(
  typesetter: Typesetter,
  labels: Labels,
  items: readonly LineItem[],
  currency: string,
): readonly Figures[] {
  const set = (style: TextStyle) => items.map((item) => figuresOf(typesetter, item, currency, style));
  const figures = set(FIGURE);
  const { descriptionWidth, figuresWidth } = columnsOf(labels, figures);
  const missing = LEAST_DESCRIPTION_WIDTH - descriptionWidth;
  if (missing <= 0) return figures;
  return set({ ...FIGURE, sizePoints: FIGURE.sizePoints * (1 - missing / figuresWidth) });
}

function figuresOf(typesetter: Typesetter, item: LineItem, currency: string, style: TextStyle): Figures {
  const line = (text: string) => typesetter.line(text, style);
  const decimal = (text: string) => {
    const point = text.indexOf('.');
    return { line: line(text), fractionWidth: point < 0 ? 0 : line(text.slice(point)).width };
  };
  return {
    quantity: decimal(grouped(item.quantity)),
    unit: item.unit === '' ? [] : typesetter.lines(item.unit, UNIT, UNIT_WIDTH),
    price: decimal(priceFigure(item.price, currency)),
    tax: line(item.taxRate === null ? '' : percentFigure(item.taxRate)),
    amount: line(grouped(item.amount)),
  };
}

/** From right to left, each column beside the one before. */
function columnsOf(labels: Labels, figures: readonly Figures[]): Columns {
  const widest = (label: Line, lines: readonly Line[]) => largest(lines.map(({ width }) => width).concat(label.width));
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
  const priceRight = taxWidth === 0 ? taxRight : taxRight - taxWidth - GAP;
  const unitX = priceRight - price.width - GAP - unitWidth;
  const quantityRight = unitWidth === 0 ? unitX : unitX - UNIT_GAP;
  return {
    descriptionWidth: quantityRight - quantity.width - GAP - LEFT,
    figuresWidth: quantity.width + price.width + taxWidth + amountWidth,
    quantity: { right: quantityRight, fractionWidth: quantity.fractionWidth },
    unitX,
    price: { right: priceRight, fractionWidth: price.fractionWidth },
    taxRight,
  };
}

function decimalWidths(label: Line, figures: readonly DecimalFigure[]): { width: number; fractionWidth: number } {
  const fractionWidth = largest(figures.map((figure) => figure.fractionWidth));
  const wholeWidth = largest(figures.map((figure) => figure.line.width - figure.fractionWidth));
  return { width: Math.max(label.width, wholeWidth + fractionWidth), fractionWidth };
}

/** Not `Math.max(...widths)`: with ten thousand arguments it would overflow the stack of a small machine. */
function largest(widths: readonly number[]): number {
  return widths.reduce((one, other) => Math.max(one, other), 0);
}

function headOf(labels: Labels, columns: Columns): PageHead {
  return {
    height: HEAD_HEIGHT,
    marks: (y) => [
      textFromLeft(labels.description, LEFT, y),
      textToRight(labels.quantity, columns.quantity.right, y),
      textToRight(labels.price, columns.price.right, y),
      textToRight(labels.tax, columns.taxRight, y),
      textToRight(labels.amount, RIGHT, y),
      rule(y + LABEL.leadingPoints + 3, 0.8, STRONG_LINE),
    ],
  };
}

function textOf(typesetter: Typesetter, { name, description }: LineItem, width: number): Line[] {
  const details = description === '' ? [] : typesetter.lines(description, DETAIL, width);
  return [...typesetter.lines(name, ITEM, width), ...details];
}

function placeRow(flow: Flow, text: readonly Line[], figures: Figures, columns: Columns, heightAfter: number): void {
  const height = rowHeight(text, figures.unit);
  if (height <= WHOLE_ROW_SHARE * flow.pageRoom) {
    flow.ensure(height + heightAfter);
    flow.place(height, (y) => [...figureMarks(figures, columns, y), ...rowMarks(text, y, height)]);
  } else {
    placeTornRow(flow, text, figures, columns);
  }
}

function placeTornRow(flow: Flow, text: readonly Line[], figures: Figures, columns: Columns): void {
  flow.ensure(rowHeight(text.slice(0, LINES_TOGETHER), figures.unit));
  let rest = text;
  let own: Figures | null = figures;
  while (rest.length > 0) {
    const part = rest.slice(0, linesThatFit(rest, flow.room));
    const height = rowHeight(part, own?.unit ?? []);
    const shown = own;
    rest = rest.slice(part.length);
    own = null;
    const isEnd = rest.length === 0;
    flow.place(height, (y) => [
      ...(shown ? figureMarks(shown, columns, y) : []),
      ...(isEnd ? rowMarks(part, y, height) : textMarks(part, y)),
    ]);
    if (!isEnd) flow.ensure(flow.room + 1);
  }
}

/** How many lines go on this page, such that either a few lines or none are left for the next page. */
function linesThatFit(lines: readonly Line[], room: number): number {
  if (rowHeight(lines, []) <= room) return lines.length;
  let count = 0;
  let height = 2 * ROW_PADDING;
  for (const { style } of lines) {
    height += style.leadingPoints;
    if (height > room) break;
    count++;
  }
  return Math.max(1, Math.min(count, lines.length - LINES_TOGETHER));
}

function rowHeight(text: readonly Line[], unit: readonly Line[]): number {
  return 2 * ROW_PADDING + Math.max(heightOf(text), heightOf(unit));
}

function rowMarks(text: readonly Line[], y: number, height: number): Mark[] {
  return [...textMarks(text, y), rule(y + height, 0.5, HAIRLINE)];
}

function textMarks(text: readonly Line[], y: number): Mark[] {
  return stacked(text, LEFT, y + ROW_PADDING);
}

function figureMarks({ quantity, unit, price, tax, amount }: Figures, columns: Columns, y: number): Mark[] {
  const top = y + ROW_PADDING;
  const decimal = ({ line, fractionWidth }: DecimalFigure, column: DecimalColumn) =>
    textToRight(line, column.right - column.fractionWidth + fractionWidth, top);
  return [
    decimal(quantity, columns.quantity),
    ...stacked(unit, columns.unitX, top),
    decimal(price, columns.price),
    textToRight(tax, columns.taxRight, top),
    textToRight(amount, RIGHT, top),
  ];
}
