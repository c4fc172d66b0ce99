import type { PrintedPayment } from '#shared/domain/invoices/printed-invoice.ts';
import { type Block, NO_BLOCK } from './flow.ts';
import { heightOf, LEFT, type Mark, RIGHT, rule, stacked, tagged, textFromLeft, textToRight } from './page.ts';
import { labelOf, type Printing } from './printing.ts';
import { BODY, HAIRLINE, LABEL } from './styles.ts';
import { cell, columnHead, row, type Tag, table } from './tags.ts';
import type { Line } from './typesetter/typesetter.ts';

const DATE_WIDTH = 110;
const METHOD_X = LEFT + DATE_WIDTH + 12;
const METHOD_WIDTH = 110;
const REFERENCE_X = METHOD_X + METHOD_WIDTH + 12;
const GAP = 16;
const SPACE_ABOVE = 10;
const HEAD_HEIGHT = LABEL.leadingPoints + 5;
const ROW_PADDING = 1;

interface Row {
  readonly date: readonly Line[];
  readonly method: readonly Line[];
  readonly reference: readonly Line[];
  readonly amount: Line;
}

export function paymentsOf(printing: Printing): Block {
  const { invoice } = printing;
  if (invoice.payments.length === 0) return NO_BLOCK;
  const rows = invoice.payments.map((payment) => rowOf(printing, payment));
  return {
    height: rows.reduce((sum, one) => sum + heightOfRow(one), SPACE_ABOVE + HEAD_HEIGHT),
    place: (flow, heightAfter) => {
      const tag = table();
      const needed = rows.map((one, index) => heightOfRow(one) + (index < rows.length - 1 ? 0 : heightAfter));
      flow.skip(SPACE_ABOVE);
      flow.ensure(HEAD_HEIGHT + (needed[0] ?? 0));
      flow.place(HEAD_HEIGHT, (y) => headMarks(printing, row(tag), y));
      rows.forEach((one, index) => {
        flow.ensure(needed[index] ?? 0);
        flow.place(heightOfRow(one), (y) => rowMarks(one, row(tag), y));
      });
    },
  };
}

function rowOf(printing: Printing, { kind, date, amount, method, reference }: PrintedPayment): Row {
  const { figures, typesetter, words } = printing;
  const isRefund = kind === 'refund';
  const line = typesetter.line(figures.money(isRefund ? `-${amount}` : amount), BODY);
  const means = [isRefund ? words.refund : null, method].filter(Boolean).join(' · ');
  return {
    date: typesetter.lines(figures.date(date), BODY, DATE_WIDTH),
    method: typesetter.lines(means, BODY, METHOD_WIDTH),
    reference: typesetter.lines(reference ?? '', BODY, RIGHT - line.width - GAP - REFERENCE_X),
    amount: line,
  };
}

function heightOfRow({ date, method, reference }: Row): number {
  return 2 * ROW_PADDING + Math.max(...[date, method, reference].map(heightOf));
}

function headMarks(printing: Printing, tag: Tag, y: number): Mark[] {
  const { words } = printing;
  const head = (word: string, x: number) => tagged(columnHead(tag), [textFromLeft(labelOf(printing, word), x, y)]);
  return [
    ...head(words.payments, LEFT),
    ...head(words.method, METHOD_X),
    ...head(words.reference, REFERENCE_X),
    ...tagged(columnHead(tag), [textToRight(labelOf(printing, words.amount), RIGHT, y)]),
    rule(y + LABEL.leadingPoints + 1, 0.5, HAIRLINE),
  ];
}

function rowMarks({ date, method, reference, amount }: Row, tag: Tag, y: number): Mark[] {
  const top = y + ROW_PADDING;
  return [
    ...tagged(cell(tag), stacked(date, LEFT, top)),
    ...tagged(cell(tag), stacked(method, METHOD_X, top)),
    ...tagged(cell(tag), stacked(reference, REFERENCE_X, top)),
    ...tagged(cell(tag), [textToRight(amount, RIGHT, top)]),
  ];
}
