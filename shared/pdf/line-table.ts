import type { LineItem } from '#shared/domain/invoices/invoice.ts';
import {
  billsTime,
  datedText,
  type LineTexts,
  lineTextsIn,
  roundedEntriesOf,
} from '#shared/domain/invoices/printed-time.ts';
import { writtenDates } from '#shared/domain/invoices/written-dates.ts';
import { type Flow, LINES_TOGETHER, NO_HEAD } from './flow.ts';
import {
  type Columns,
  columnsOf,
  type DecimalColumn,
  type DecimalFigure,
  fittingFigures,
  type Labels,
  labelsOf,
  type RowFigures,
} from './line-columns.ts';
import { heightOf, LEFT, type Mark, RIGHT, rule, stacked, tagged, textFromLeft, textToRight } from './page.ts';
import type { Printing } from './printing.ts';
import { DETAIL, HAIRLINE, ITEM, LABEL } from './styles.ts';
import { cell, columnHead, row, type Tag, table } from './tags.ts';
import type { Line } from './typesetter/typesetter.ts';

const ROW_PADDING = 4.5;
const HEAD_HEIGHT = 20;

/** Rows up to this share of a page are not split as long as the end of the invoice fits below them. */
const WHOLE_ROW_SHARE = 0.35;

interface Row {
  readonly text: readonly Line[];
  readonly figures: RowFigures;
  readonly tag: Tag;
  /** Heights of what may follow on the page, the most first */
  readonly heightsAfter: readonly number[];
}

/** @param heightsAfter of what may follow on the page of the last row, the most first */
export function placeLineTable(flow: Flow, printing: Printing, heightsAfter: readonly number[]): void {
  const { lineItems } = printing.invoice;
  const textsOf = lineTextsIn(printing.invoice);
  const labels = labelsOf(printing);
  const figures = fittingFigures(printing, labels);
  const columns = columnsOf(labels, figures);
  const tag = table();
  const rows = lineItems.flatMap((item, index): Row[] => {
    const text = textOf(printing, item, textsOf(item), columns.descriptionWidth);
    const ownFigures = figures[index];
    const isLast = index === lineItems.length - 1;
    return ownFigures ? [{ text, figures: ownFigures, tag: row(tag), heightsAfter: isLast ? heightsAfter : [] }] : [];
  });
  const [first] = rows;
  flow.ensure(HEAD_HEIGHT + (first ? roomToBegin(first, flow.pageRoom - HEAD_HEIGHT) : 0));
  flow.place(HEAD_HEIGHT, (y) => headMarks(printing, labels, columns, row(tag), y));
  flow.setHeadOfNextPages({
    height: HEAD_HEIGHT,
    marks: (y) => tagged('Pagination', headMarks(printing, labels, columns, row(tag), y)),
  });
  for (const each of rows) placeRow(flow, each, columns);
  flow.setHeadOfNextPages(NO_HEAD);
}

function headMarks({ accent }: Printing, labels: Labels, columns: Columns, tag: Tag, y: number): Mark[] {
  const head = (mark: Mark) => tagged(columnHead(tag), [mark]);
  return [
    ...head(textFromLeft(labels.description, LEFT, y)),
    ...head(textToRight(labels.quantity, columns.quantity.right, y)),
    ...head(textToRight(labels.price, columns.price.right, y)),
    ...(columns.hasTax ? head(textToRight(labels.tax, columns.taxRight, y)) : []),
    ...head(textToRight(labels.amount, RIGHT, y)),
    rule(y + LABEL.leadingPoints + 3, 0.8, accent.strongRule),
  ];
}

function textOf(printing: Printing, item: LineItem, { name, description }: LineTexts, width: number): Line[] {
  const { typesetter, figures } = printing;
  const rounding = roundingOf(printing, item);
  const dates = hasDatedText(item) ? '' : writtenDates(item.serviceFrom, item.serviceTo, figures.date);
  const shown = [description, dates, rounding].filter((detail) => detail !== '');
  return [
    ...typesetter.lines(name, ITEM, width),
    ...shown.flatMap((detail) => typesetter.lines(detail, DETAIL, width)),
  ];
}

/** Why hours times price are not the amount, where that is so. */
function roundingOf({ invoice, words, figures }: Printing, item: LineItem): string {
  const count = billsTime(item) ? roundedEntriesOf(item, invoice.currency) : 0;
  return count === 0 ? '' : words.roundedEntries.replace('{count}', figures.number(`${count}`));
}

/** The texts that the product made for tracked time have its dates. */
function hasDatedText(item: LineItem): boolean {
  return billsTime(item) && [item.name, item.description].some((text) => datedText(text) !== null);
}

function placeRow(flow: Flow, row: Row, columns: Columns): void {
  const { text, figures, tag } = row;
  flow.ensure(roomToBegin(row, flow.pageRoom));
  if (isSplit(row, flow.pageRoom)) {
    placeSplitRow(flow, row, columns);
    return;
  }
  const height = rowHeight(text, figures.unit);
  const textTag = cell(tag);
  flow.place(height, (y) => [
    ...textMarks(text, textTag, y),
    ...figureMarks(figures, columns, tag, y),
    rule(y + height, 0.5, HAIRLINE),
  ]);
}

/** A long row may be split, and one that leaves no room on a page for all that follows the table. */
function isSplit({ text, figures, heightsAfter: [most = 0] }: Row, pageRoom: number): boolean {
  const height = rowHeight(text, figures.unit);
  if (height > WHOLE_ROW_SHARE * pageRoom) return true;
  return height + most > pageRoom && text.length >= 2 * LINES_TOGETHER;
}

function roomToBegin(row: Row, pageRoom: number): number {
  const { text, figures } = row;
  if (isSplit(row, pageRoom)) return rowHeight(text.slice(0, LINES_TOGETHER), figures.unit);
  const height = rowHeight(text, figures.unit);
  return height + roomToEnd(row, height, pageRoom);
}

/** Room to keep on the page below the end of the row: as much as fits below the part that stays together. */
function roomToEnd({ heightsAfter }: Row, heightTogether: number, pageRoom: number): number {
  return heightsAfter.find((height) => heightTogether + height <= pageRoom) ?? 0;
}

function placeSplitRow(flow: Flow, row: Row, columns: Columns): void {
  const { text, figures, tag } = row;
  const textTag = cell(tag);
  const after = roomToEnd(row, rowHeight(text.slice(-LINES_TOGETHER), []), flow.pageRoom);
  let rest = text;
  let own: RowFigures | null = figures;
  while (rest.length > 0) {
    const part = rest.slice(0, linesThatFit(rest, flow.room, after));
    const height = rowHeight(part, own?.unit ?? []);
    const shown = own;
    rest = rest.slice(part.length);
    own = null;
    const isEnd = rest.length === 0;
    flow.place(height, (y) => [
      ...textMarks(part, textTag, y),
      ...(shown ? figureMarks(shown, columns, tag, y) : []),
      ...(isEnd ? [rule(y + height, 0.5, HAIRLINE)] : []),
    ]);
    if (!isEnd) flow.ensure(flow.room + 1);
  }
}

/** The number of lines for this page: all of them, or so few that some are left to stand together on the next page. */
function linesThatFit(lines: readonly Line[], room: number, heightAfter: number): number {
  if (rowHeight(lines, []) + heightAfter <= room) return lines.length;
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

function textMarks(text: readonly Line[], tag: Tag, y: number): Mark[] {
  return tagged(tag, stacked(text, LEFT, y + ROW_PADDING));
}

function figureMarks(figures: RowFigures, columns: Columns, tag: Tag, y: number): Mark[] {
  const top = y + ROW_PADDING;
  const decimal = ({ line, fractionWidth }: DecimalFigure, column: DecimalColumn) =>
    textToRight(line, column.right - column.fractionWidth + fractionWidth, top);
  return [
    ...tagged(cell(tag), [decimal(figures.quantity, columns.quantity), ...stacked(figures.unit, columns.unitX, top)]),
    ...tagged(cell(tag), [decimal(figures.price, columns.price)]),
    ...(columns.hasTax ? tagged(cell(tag), [textToRight(figures.tax, columns.taxRight, top)]) : []),
    ...tagged(cell(tag), [textToRight(figures.amount, RIGHT, top)]),
  ];
}
