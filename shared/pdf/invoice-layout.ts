import type { InvoiceDocument } from '#shared/domain/invoices/invoice.ts';
import { grouped, writtenDate } from './figures.ts';
import { createFlow, type Flow } from './flow.ts';
import { placeLineTable } from './line-table.ts';
import {
  ACCENT,
  AMOUNT_DUE,
  BADGES,
  BODY,
  FOOT,
  HAIRLINE,
  LABEL,
  NAME,
  NUMBER,
  SELLER,
  STRONG_LINE,
  TITLE,
  TOTAL,
  WATERMARKS,
} from './look.ts';
import {
  BOTTOM,
  CONTENT_WIDTH,
  heightOf,
  LEFT,
  type Mark,
  type Page,
  RIGHT,
  rule,
  stacked,
  textFromLeft,
  textToRight,
} from './page.ts';
import { taxByRate } from './taxes.ts';
import type { Line, TextStyle, Typesetter } from './typesetter.ts';

/** Who sends the invoice. */
export interface Seller {
  readonly name: string;
}

/** The title of the invoice, on its pages and in the document's properties. */
export function titleOf({ number }: InvoiceDocument): string {
  return number === null ? 'Draft invoice' : `Invoice ${number}`;
}

/** The pages of an invoice: the parties, the sum and the due date; the lines; the totals; the notes. */
export function layOutInvoice(invoice: InvoiceDocument, seller: Seller, typesetter: Typesetter): Page[] {
  const flow = createFlow();
  placeTitle(flow, invoice, seller, typesetter);
  placeParties(flow, invoice, typesetter);
  const totals = totalsOf(invoice, typesetter);
  placeLineTable(flow, typesetter, invoice, totals.height);
  flow.ensure(totals.height);
  flow.place(totals.height, totals.marks);
  if (invoice.notes) placeNotes(flow, invoice.notes, typesetter);
  return finished(flow.pages, invoice, seller, typesetter);
}

const SELLER_WIDTH = 250;

function placeTitle(flow: Flow, invoice: InvoiceDocument, seller: Seller, typesetter: Typesetter): void {
  const title = typesetter.line('Invoice', TITLE);
  const name = typesetter.lines(seller.name, SELLER, SELLER_WIDTH);
  const height = Math.max(TITLE.leadingPoints + NUMBER.leadingPoints, heightOf(name)) + 30;
  flow.place(height, (y) => [
    rule(y - 14, 3, ACCENT, LEFT, 30),
    textFromLeft(title, LEFT, y),
    ...numberMarks(invoice, typesetter, y + TITLE.leadingPoints),
    ...name.map((line, index) => textToRight(line, RIGHT, y + 7 + index * SELLER.leadingPoints)),
  ]);
}

const BADGE_PADDING = 7;

function numberMarks({ number, status }: InvoiceDocument, typesetter: Typesetter, y: number): Mark[] {
  const line = typesetter.line(number ?? '', NUMBER);
  const badge = BADGES[status];
  if (!badge) return [textFromLeft(line, LEFT, y)];
  const text = typesetter.line(badge.text, badge.style);
  const x = LEFT + (line.width === 0 ? 0 : line.width + 10);
  const top = y + (NUMBER.leadingPoints - badge.style.leadingPoints) / 2;
  const size = { width: text.width + 2 * BADGE_PADDING, height: badge.style.leadingPoints };
  return [
    textFromLeft(line, LEFT, y),
    { kind: 'badge', x, y: top, ...size, colour: badge.colour },
    textFromLeft(text, x + BADGE_PADDING, top),
  ];
}

const CUSTOMER_WIDTH = 225;
const DATES_X = LEFT + 262;
const AMOUNT_WIDTH = 138;
const PARTIES_HEIGHT = 74;

/** A customer with many lines may go on over the next page. What stands beside the customer does not. */
function placeParties(flow: Flow, invoice: InvoiceDocument, typesetter: Typesetter): void {
  const customer = customerLines(invoice, typesetter);
  flow.place(0, (y) => [...dateMarks(invoice, typesetter, y), ...amountMarks(invoice, typesetter, y)]);
  for (const line of customer) flow.place(line.style.leadingPoints, (y) => [textFromLeft(line, LEFT, y)]);
  flow.skip(Math.max(0, PARTIES_HEIGHT - heightOf(customer)) + 30);
}

function customerLines({ customer }: InvoiceDocument, typesetter: Typesetter): Line[] {
  const { contact, addressLine1, addressLine2, postalCode, city, region, countryCode, taxNumber, email } = customer;
  const details = [
    contact,
    addressLine1,
    addressLine2,
    [postalCode, city].filter(Boolean).join(' '),
    region,
    countryCode && countryName(countryCode),
    email,
    taxNumber && `Tax number ${taxNumber}`,
  ];
  return [
    typesetter.line('BILLED TO', LABEL),
    ...typesetter.lines(customer.name, NAME, CUSTOMER_WIDTH),
    ...details.flatMap((detail) => (detail ? typesetter.lines(detail, BODY, CUSTOMER_WIDTH) : [])),
  ];
}

const countries = new Intl.DisplayNames(['en'], { type: 'region' });

function countryName(code: string): string {
  return countries.of(code) ?? code;
}

function dateMarks({ issueDate, dueDate }: InvoiceDocument, typesetter: Typesetter, y: number): Mark[] {
  const field = (label: string, date: string) => [
    typesetter.line(label, LABEL),
    typesetter.line(writtenDate(date), BODY),
  ];
  const space = { ...typesetter.line('', LABEL) };
  return stacked([...field('ISSUED', issueDate), ...(dueDate ? [space, ...field('DUE', dueDate)] : [])], DATES_X, y);
}

const AMOUNT_LABELS = { draft: 'TOTAL', sent: 'AMOUNT DUE', paid: 'AMOUNT PAID', void: 'TOTAL' } as const;

function amountMarks({ status, total, currency }: InvoiceDocument, typesetter: Typesetter, y: number): Mark[] {
  const label = typesetter.line(AMOUNT_LABELS[status], LABEL);
  const amount = fitting(`${currency} ${grouped(total)}`, AMOUNT_DUE, AMOUNT_WIDTH, typesetter);
  return [textToRight(label, RIGHT, y), textToRight(amount, RIGHT, y + LABEL.leadingPoints)];
}

/** One line, set smaller if it would be too wide. */
function fitting(text: string, style: TextStyle, widthPoints: number, typesetter: Typesetter): Line {
  const line = typesetter.line(text, style);
  if (line.width <= widthPoints) return line;
  return typesetter.line(text, { ...style, sizePoints: (style.sizePoints * widthPoints) / line.width });
}

interface Block {
  readonly height: number;
  marks(y: number): Mark[];
}

const TOTALS_WIDTH = RIGHT - DATES_X;
const TOTALS_GAP = 24;
const TOTALS_PADDING = 10;

/** Nobody reads more rates than this. Beyond it, the tax is shown as one sum. */
const MOST_RATES = 8;

function totalsOf(invoice: InvoiceDocument, typesetter: Typesetter): Block {
  const rows = sums(invoice).map(([label, amount]) => ({
    label: typesetter.line(label, BODY),
    amount: typesetter.line(grouped(amount), BODY),
  }));
  const total = {
    label: typesetter.line(`Total ${invoice.currency}`, TOTAL),
    amount: typesetter.line(grouped(invoice.total), TOTAL),
  };
  const widths = [...rows, total].map(({ label, amount }) => label.width + TOTALS_GAP + amount.width);
  const left = RIGHT - Math.max(TOTALS_WIDTH, ...widths);
  const rowsHeight = rows.length * BODY.leadingPoints;
  return {
    height: 2 * TOTALS_PADDING + rowsHeight + TOTAL.leadingPoints + 8,
    marks: (y) => [
      ...rows.flatMap(({ label, amount }, index) => {
        const top = y + TOTALS_PADDING + index * BODY.leadingPoints;
        return [textFromLeft(label, left, top), textToRight(amount, RIGHT, top)];
      }),
      rule(y + TOTALS_PADDING + rowsHeight + 4, 0.8, STRONG_LINE, left, RIGHT - left),
      textFromLeft(total.label, left, y + TOTALS_PADDING + rowsHeight + 8),
      textToRight(total.amount, RIGHT, y + TOTALS_PADDING + rowsHeight + 8),
    ],
  };
}

/** What the total is made of; empty if the total is just the sum of the lines. */
function sums(invoice: InvoiceDocument): (readonly [label: string, amount: string])[] {
  const shares = taxByRate(invoice);
  if (shares.length === 0) return [];
  const [only] = shares;
  const isOfAll = shares.length === 1 && only?.base === invoice.subtotal;
  const taxes = shares.map(
    ({ rate, base, tax }) => [isOfAll ? `Tax ${rate}%` : `Tax ${rate}% on ${grouped(base)}`, tax] as const,
  );
  return [
    ['Subtotal', invoice.subtotal],
    ...(shares.length <= MOST_RATES ? taxes : [['Tax', invoice.taxTotal] as const]),
  ];
}

const NOTES_WIDTH = 360;

function placeNotes(flow: Flow, notes: string, typesetter: Typesetter): void {
  const label = typesetter.line('NOTES', LABEL);
  const lines = typesetter.lines(notes, BODY, NOTES_WIDTH);
  flow.skip(14);
  flow.ensure(heightOf([label, ...lines.slice(0, 3)]));
  for (const line of [label, ...lines]) flow.place(line.style.leadingPoints, (y) => [textFromLeft(line, LEFT, y)]);
}

const FOOT_Y = BOTTOM + 24;

/**
 * Adds what every page has: its number, the number of pages and whose page it is. If the status asks for a
 * watermark, adds one behind the text.
 */
function finished(pages: readonly Page[], invoice: InvoiceDocument, seller: Seller, typesetter: Typesetter): Page[] {
  const watermark = WATERMARKS[invoice.status];
  const behind: Page = watermark ? [{ kind: 'watermark', line: typesetter.line(watermark.text, watermark.style) }] : [];
  const name = typesetter.shortened(seller.name, FOOT, CONTENT_WIDTH / 2);
  return pages.map((marks, index) => {
    const number = typesetter.line(`${titleOf(invoice)}  ·  Page ${index + 1} of ${pages.length}`, FOOT);
    return [
      ...behind,
      ...marks,
      rule(FOOT_Y, 0.5, HAIRLINE),
      textFromLeft(name, LEFT, FOOT_Y + 6),
      textToRight(number, RIGHT, FOOT_Y + 6),
    ];
  });
}
