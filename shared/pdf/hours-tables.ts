import type { HoursRow, HoursSum, LineHours } from '#shared/domain/invoices/printed-hours.ts';
import { clockTime, lineTextsIn } from '#shared/domain/invoices/printed-time.ts';
import { minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import { memoized } from '#shared/runtime/memoized.ts';
import { type Flow, NO_HEAD, placeLines } from './flow.ts';
import {
  CONTENT_WIDTH,
  heightOf,
  LEFT,
  type Mark,
  RIGHT,
  rule,
  stacked,
  tagged,
  textFromLeft,
  textToRight,
} from './page.ts';
import { labelOf, type Printing } from './printing.ts';
import { ENTRY, HAIRLINE, ITEM, LABEL, SECTION } from './styles.ts';
import { cell, columnHead, heading, row, rowHead, type Tag, table } from './tags.ts';
import type { Line, TextStyle } from './typesetter/typesetter.ts';

const GAP = 12;
const ROW_PADDING = 2;
const HEAD_HEIGHT = 19;
const SPACE_ABOVE = 10;
const MOST_PERSON_WIDTH = 90;
const LEAST_DESCRIPTION_WIDTH = 110;

/** A table for each line of time, behind all that the invoice itself has. */
export function placeHours(flow: Flow, printing: Printing, hours: readonly LineHours[]): void {
  // Begins a page.
  flow.ensure(flow.room + 1);
  placeLines(flow, [printing.typesetter.line(printing.words.timesheet, SECTION)], LEFT, heading('H2'));
  const textsOf = lineTextsIn(printing.invoice);
  const columns = fittingColumns(printing, hours);
  const rowsOf = rowWriter(printing, columns);
  for (const each of hours) {
    const title = printing.typesetter.lines(textsOf(each.line).name, ITEM, CONTENT_WIDTH);
    placeTable(flow, printing, columns, title, rowsOf(each));
  }
}

interface Row {
  readonly date: Line;
  readonly description: readonly Line[];
  readonly person: readonly Line[];
  readonly time: Line;
  readonly rate: Line;
  readonly amount: Line;
}

type Columns = ReturnType<typeof columnsOf>;

/** The same for all tables. Figures are set smaller if they leave too little width for the description. */
function fittingColumns(printing: Printing, hours: readonly LineHours[]): Columns {
  const columns = columnsOf(printing, hours, ENTRY);
  const missing = LEAST_DESCRIPTION_WIDTH - columns.descriptionWidth;
  if (missing <= 0) return columns;
  return columnsOf(printing, hours, { ...ENTRY, sizePoints: ENTRY.sizePoints * (1 - missing / columns.figuresWidth) });
}

function columnsOf(printing: Printing, hours: readonly LineHours[], style: TextStyle) {
  const { words, figures, typesetter, invoice } = printing;
  const widest = (label: Line, texts: readonly string[], of: TextStyle) =>
    [...new Set(texts)].reduce((most, text) => Math.max(most, typesetter.line(text, of).width), label.width);
  const label = (word: string) => labelOf(printing, word);
  const labels = {
    date: label(words.date),
    description: label(words.description),
    person: label(words.person),
    time: label(words.time),
    rate: label(words.rate),
    amount: label(`${words.amount} ${invoice.currency}`),
  };
  const rows = hours.flatMap((each) => each.rows);
  const lines = hours.map(({ line }) => line);
  const bold: TextStyle = { ...style, weight: 'semibold' };
  const dates = [words.sum, ...rows.map(({ date }) => figures.date(date))];
  const people = rows.map(({ person }) => person);
  // The sums are the widest.
  const times = lines.map(({ quantity }) => clockTime(minutesOfQuantity(quantity)));
  const dateWidth = widest(labels.date, dates, { ...ENTRY, weight: 'semibold' });
  const personWidth = Math.max(labels.person.width, Math.min(MOST_PERSON_WIDTH, widest(labels.person, people, ENTRY)));
  const timeWidth = widest(labels.time, times, bold);
  const rateWidth = widest(
    labels.rate,
    lines.map(({ price }) => figures.money(price)),
    style,
  );
  const amountWidth = widest(
    labels.amount,
    lines.map(({ amount }) => figures.money(amount)),
    bold,
  );
  const rateRight = RIGHT - amountWidth - GAP;
  const timeRight = rateRight - rateWidth - GAP;
  const personX = timeRight - timeWidth - GAP - personWidth;
  const descriptionX = LEFT + dateWidth + GAP;
  return {
    labels,
    style,
    bold,
    descriptionX,
    descriptionWidth: personX - GAP - descriptionX,
    personX,
    personWidth,
    timeRight,
    rateRight,
    figuresWidth: timeWidth + rateWidth + amountWidth,
  };
}

/** Sets what comes again in many rows once. */
function rowWriter({ words, figures, typesetter }: Printing, columns: Columns): (hours: LineHours) => readonly Row[] {
  const figure = memoized((text: string) => typesetter.line(text, columns.style));
  const boldFigure = (text: string) => typesetter.line(text, columns.bold);
  const dateOf = memoized((date: string) => typesetter.line(figures.date(date), ENTRY));
  const personOf = memoized((person: string) => typesetter.lines(person, ENTRY, columns.personWidth));
  const textOf = (text: string) => typesetter.lines(text, ENTRY, columns.descriptionWidth);
  const none = typesetter.line('', ENTRY);
  return ({ line, rows, changed }) => {
    const rate = figure(figures.money(line.price));
    const figuresOf = ({ minutes, amount }: HoursSum) => ({
      time: figure(clockTime(minutes)),
      rate,
      amount: figure(figures.money(amount)),
    });
    const ofEntry = (entry: HoursRow): Row => ({
      date: dateOf(entry.date),
      description: textOf(entry.description),
      person: personOf(entry.person),
      ...figuresOf(entry),
    });
    const rest = { date: none, description: textOf(words.changedEntries), person: [none] };
    return [
      ...rows.map(ofEntry),
      ...(changed ? [{ ...rest, ...figuresOf(changed) }] : []),
      {
        date: typesetter.line(words.sum, { ...ENTRY, weight: 'semibold' }),
        description: [none],
        person: [none],
        time: boldFigure(clockTime(minutesOfQuantity(line.quantity))),
        rate: none,
        amount: boldFigure(figures.money(line.amount)),
      },
    ];
  };
}

/** @param rows the last one is the sum */
function placeTable(
  flow: Flow,
  printing: Printing,
  columns: Columns,
  title: readonly Line[],
  rows: readonly Row[],
): void {
  const tag = table();
  // The title stands above an entry, and the sum below one.
  flow.skip(SPACE_ABOVE);
  flow.ensure(heightOf(title) + HEAD_HEIGHT + heightOfRows(rows.slice(0, 2)));
  placeLines(flow, title, LEFT, heading('H3'));
  flow.place(HEAD_HEIGHT, (y) => headMarks(printing, columns, row(tag), y));
  flow.setHeadOfNextPages({
    height: HEAD_HEIGHT,
    marks: (y) => tagged('Pagination', headMarks(printing, columns, row(tag), y)),
  });
  rows.forEach((each, index) => {
    if (index === rows.length - 2) flow.ensure(heightOfRows(rows.slice(index)));
    placeRow(flow, columns, each, row(tag), index === rows.length - 1 ? printing.accent.strongRule : null);
  });
  flow.setHeadOfNextPages(NO_HEAD);
}

function headMarks({ accent }: Printing, { labels, ...columns }: Columns, tag: Tag, y: number): Mark[] {
  const head = (mark: Mark) => tagged(columnHead(tag), [mark]);
  return [
    ...head(textFromLeft(labels.date, LEFT, y)),
    ...head(textFromLeft(labels.description, columns.descriptionX, y)),
    ...head(textFromLeft(labels.person, columns.personX, y)),
    ...head(textToRight(labels.time, columns.timeRight, y)),
    ...head(textToRight(labels.rate, columns.rateRight, y)),
    ...head(textToRight(labels.amount, RIGHT, y)),
    rule(y + LABEL.leadingPoints + 2, 0.8, accent.strongRule),
  ];
}

/** @param sumRule above a sum, in this colour; null above an entry */
function placeRow(flow: Flow, columns: Columns, entry: Row, tag: Tag, sumRule: string | null): void {
  const textTag = cell(tag);
  // A text that is longer than a page goes on below its row.
  const linesOfPage = Math.floor((flow.pageRoom - 2 * ROW_PADDING) / ENTRY.leadingPoints);
  const first = { ...entry, description: entry.description.slice(0, linesOfPage) };
  flow.place(heightOfRow(first), (y) => {
    const top = y + ROW_PADDING;
    return [
      sumRule === null ? rule(y + heightOfRow(first), 0.5, HAIRLINE) : rule(y, 0.8, sumRule),
      ...tagged(sumRule ? rowHead(tag) : cell(tag), [textFromLeft(entry.date, LEFT, top)]),
      ...tagged(textTag, stacked(first.description, columns.descriptionX, top)),
      ...tagged(cell(tag), stacked(entry.person, columns.personX, top)),
      ...tagged(cell(tag), [textToRight(entry.time, columns.timeRight, top)]),
      ...tagged(cell(tag), [textToRight(entry.rate, columns.rateRight, top)]),
      ...tagged(cell(tag), [textToRight(entry.amount, RIGHT, top)]),
    ];
  });
  placeLines(flow, entry.description.slice(linesOfPage), columns.descriptionX, textTag);
}

const heightOfRows = (rows: readonly Row[]) => rows.reduce((sum, each) => sum + heightOfRow(each), 0);

function heightOfRow({ description, person }: Row): number {
  return 2 * ROW_PADDING + Math.max(heightOf(description), heightOf(person));
}
