import type { PostalAddress } from '#shared/domain/details.ts';
import { paymentUrlOf } from '#shared/domain/invoices/payment-details.ts';
import { addressLines } from '#shared/domain/invoices/printed-address.ts';
import { writtenDates } from '#shared/domain/invoices/written-dates.ts';
import { type Flow, placeLines } from './flow.ts';
import {
  baselineOf,
  heightOf,
  LEFT,
  type Mark,
  RIGHT,
  rule,
  SECOND_COLUMN,
  tagged,
  textFromLeft,
  textToRight,
} from './page.ts';
import { CODE_SIZE, codeMarks, type PaymentCode, paymentCodeOf } from './payment-code.ts';
import type { Picture } from './picture.ts';
import { fitting, kindOf, labelOf, type Printing } from './printing.ts';
import {
  amountDueStyle,
  BADGE,
  BODY,
  badgeColour,
  HAIRLINE,
  LABEL,
  linkStyle,
  NAME,
  NUMBER,
  OVERDUE,
  SELLER,
  SENDER,
  statusMarkOf,
  titleStyle,
} from './styles.ts';
import { figureOf, group, heading, linkTo, paragraph, type Tag } from './tags.ts';
import { type Line, printable, type TextStyle, type Typesetter } from './typesetter/typesetter.ts';
import { ADDRESS_TOP, hasWindow, WINDOW } from './window.ts';

const CUSTOMER_WIDTH = 205;
const SELLER_WIDTH = RIGHT - SECOND_COLUMN;
const DATES_WIDTH = 112;
const AMOUNT_WIDTH = SELLER_WIDTH - DATES_WIDTH - 8;

const SPACE = 16;

/** The rule above the title, and the logo, begin so far above the text of the page. */
const ABOVE_TITLE = 14;

/** Title, seller, customer, dates and amount. */
export function placeHead(flow: Flow, printing: Printing): void {
  if (hasWindow(printing.invoice.seller)) {
    placeLetterHead(flow, printing);
  } else {
    flow.sideBySide([() => placeTitle(flow, printing), () => placeSeller(flow, printing)]);
    flow.skip(SPACE);
    flow.sideBySide([() => placeCustomer(flow, printing), ...termsOf(flow, printing)]);
  }
  flow.skip(SPACE);
}

/** The customer is in the window of an envelope, and all else beside, above or below it. */
function placeLetterHead(flow: Flow, printing: Printing): void {
  flow.sideBySide([
    () => placeTitle(flow, printing),
    () => {
      placeSeller(flow, printing);
      flow.skip(SPACE);
      flow.sideBySide(termsOf(flow, printing));
    },
    () => placeAddress(flow, printing),
  ]);
}

function placeTitle(flow: Flow, printing: Printing): void {
  const { typesetter, accent } = printing;
  const style = titleStyle(accent);
  const title = fitting(kindOf(printing), style, CUSTOMER_WIDTH, typesetter);
  flow.place(style.leadingPoints, (y) => [
    rule(y - ABOVE_TITLE, 3, accent.rule, LEFT, 30),
    ...tagged(heading('H1'), [textFromLeft(title, LEFT, y)]),
  ]);
  placeNumber(flow, printing);
}

function placeSeller(flow: Flow, printing: Printing): void {
  if (printing.logo) placeLogo(flow, printing, printing.logo);
  // The seller's name has the baseline of the title.
  else flow.skip(baselineOf(titleStyle(printing.accent)) - baselineOf(SELLER));
  placeParagraphs(flow, sellerLines(printing), SECOND_COLUMN, group());
}

const LOGO_SPACE = 9;

function placeLogo(flow: Flow, { invoice }: Printing, logo: Picture): void {
  const { width, height } = logo;
  const x = SECOND_COLUMN;
  flow.place(Math.max(0, height + LOGO_SPACE - ABOVE_TITLE), (below) => {
    const y = below - ABOVE_TITLE;
    const tag = figureOf({ meaning: printable(invoice.seller.name), box: [x, y, x + width, y + height] });
    return tagged(tag, [{ kind: 'picture', picture: logo, x, y }]);
  });
}

type Paragraph = readonly Line[];

function placeParagraphs(flow: Flow, paragraphs: readonly Paragraph[], x: number, parent: Tag): void {
  for (const lines of paragraphs) placeLines(flow, lines, x, paragraph(parent));
}

const BADGE_PADDING = 7;
const BADGE_SPACE = 10;

/** The status stands behind the number, or below a long one. */
function placeNumber(flow: Flow, printing: Printing): void {
  const { invoice, typesetter } = printing;
  const line = fitting(invoice.number ?? '', NUMBER, CUSTOMER_WIDTH, typesetter);
  const badge = badgeOf(printing);
  const beside = line.width === 0 ? 0 : line.width + BADGE_SPACE;
  const isBeside = !badge || beside + badge.width <= CUSTOMER_WIDTH;
  flow.place(NUMBER.leadingPoints, (y) => [
    ...(line.width === 0 ? [] : tagged(paragraph(), [textFromLeft(line, LEFT, y)])),
    ...(badge && isBeside ? badge.marks(LEFT + beside, y + (NUMBER.leadingPoints - badge.height) / 2) : []),
  ]);
  if (badge && !isBeside) flow.place(badge.height, (y) => badge.marks(LEFT, y));
}

function badgeOf({ invoice, words, figures, typesetter, accent }: Printing) {
  const status = statusMarkOf(invoice);
  if (!status) return null;
  const text = typesetter.line(figures.capitals(words[status]), BADGE);
  const size = { width: text.width + 2 * BADGE_PADDING, height: BADGE.leadingPoints };
  return {
    ...size,
    marks: (x: number, y: number): Mark[] => [
      { kind: 'badge', x, y, ...size, colour: badgeColour(status, accent) },
      ...tagged(paragraph(), [textFromLeft(text, x + BADGE_PADDING, y)]),
    ],
  };
}

function sellerLines({ invoice: { seller }, words, figures, typesetter }: Printing): Paragraph[] {
  const { name, legalName, taxNumber, vatNumber } = seller;
  const details = [
    legalName === name ? null : legalName,
    ...postalLines(seller, figures.country),
    taxNumber && `${words.taxNumber} ${taxNumber}`,
    vatNumber && `${words.vatNumber} ${vatNumber}`,
  ];
  return [typesetter.lines(name, SELLER, SELLER_WIDTH), ...detailLines(details, typesetter, SELLER_WIDTH)];
}

function customerAddress({ invoice: { customer }, figures, typesetter }: Printing, scale = 1): Paragraph[] {
  const lines = (text: string, style: TextStyle) => typesetter.lines(text, scaled(style, scale), CUSTOMER_WIDTH);
  const others = [customer.contact, ...postalLines(customer, figures.country)];
  return [lines(customer.name, NAME), ...others.flatMap((other) => (other ? [lines(other, BODY)] : []))];
}

/** Smaller lines stand closer together, too. */
const scaled = (style: TextStyle, scale: number): TextStyle => ({
  ...style,
  sizePoints: scale * style.sizePoints,
  leadingPoints: scale * (scale < 1 ? CLOSER : 1) * style.leadingPoints,
});

const CLOSER = 0.88;

function customerDetails({ invoice: { customer }, words, typesetter }: Printing): Paragraph[] {
  const { email, taxNumber, vatNumber } = customer;
  const details = [
    email,
    taxNumber && `${words.taxNumber} ${taxNumber}`,
    vatNumber && `${words.vatNumber} ${vatNumber}`,
  ];
  return detailLines(details, typesetter, CUSTOMER_WIDTH);
}

function postalLines(address: PostalAddress, countryName: (code: string) => string): string[] {
  const { countryCode } = address;
  return [...addressLines(address), ...(countryCode ? [countryName(countryCode)] : [])];
}

function detailLines(details: readonly (string | null)[], typesetter: Typesetter, widthPoints: number): Paragraph[] {
  return details.flatMap((detail) => (detail ? [typesetter.lines(detail, BODY, widthPoints)] : []));
}

function placeCustomer(flow: Flow, printing: Printing): void {
  placeLines(flow, [customerLabel(printing)], LEFT, heading('H2'));
  placeParagraphs(flow, [...customerAddress(printing), ...customerDetails(printing)], LEFT, group());
}

/** Sizes of the address, of which the largest is taken that fits into the window. Nobody could read less than the last. */
const SCALES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45];

function placeAddress(flow: Flow, printing: Printing): void {
  const label = customerLabel(printing);
  // Its letters stand on the edge of the window.
  flow.skipTo(WINDOW.top - baselineOf(label.style));
  placeLines(flow, [label], LEFT, heading('H2'));
  flow.place(SENDER.leadingPoints, (y) => senderMarks(printing, y));
  flow.skipTo(ADDRESS_TOP);
  const fits = (scale: number) => heightOf(customerAddress(printing, scale).flat()) <= WINDOW.bottom - ADDRESS_TOP;
  const tag = group();
  placeParagraphs(flow, customerAddress(printing, SCALES.find(fits) ?? SCALES.at(-1)), LEFT, tag);
  flow.skipTo(WINDOW.bottom);
  placeParagraphs(flow, customerDetails(printing), LEFT, tag);
}

/** Where the letter goes if nobody is there. The seller is told in full beside it. */
function senderMarks({ invoice: { seller }, typesetter }: Printing, y: number): Mark[] {
  const sender = [seller.name, ...addressLines(seller)].join(' · ');
  const line = typesetter.shortened(sender, SENDER, CUSTOMER_WIDTH);
  return [textFromLeft(line, LEFT, y), rule(y + SENDER.leadingPoints, 0.4, HAIRLINE, LEFT, line.width)];
}

function customerLabel(printing: Printing): Line {
  const { words, invoice } = printing;
  return labelOf(printing, invoice.corrects ? words.creditedParty : words.billedTo);
}

/** Columns that stand side by side. */
function termsOf(flow: Flow, printing: Printing): readonly (() => void)[] {
  return [
    () => placeDates(flow, printing),
    () => {
      flow.place(LABEL.leadingPoints + amountDueStyle(printing.accent).leadingPoints, (y) => amountMarks(printing, y));
      placeLink(flow, printing);
      const code = paymentCodeOf(printing.invoice);
      if (code) placeCode(flow, printing, code);
    },
  ];
}

const FIELD_SPACE = 7;

function placeDates(flow: Flow, printing: Printing): void {
  const { invoice, words, figures, typesetter } = printing;
  const { corrects, issueDate, dueDate, serviceFrom, serviceTo, purchaseOrder, isOverdue } = invoice;
  const tag = group();
  const placeField = (word: string, text: string, style: TextStyle) => {
    placeParagraphs(flow, [[labelOf(printing, word)], typesetter.lines(text, style, DATES_WIDTH)], SECOND_COLUMN, tag);
    flow.skip(FIELD_SPACE);
  };
  placeField(corrects ? words.date : words.issued, figures.date(issueDate), BODY);
  if (corrects) {
    const invoiceDate = figures.date(corrects.issueDate);
    placeField(words.corrects, `${words.invoice} ${corrects.number}\n${invoiceDate}`, BODY);
  }
  if (dueDate !== null) placeField(words.due, figures.date(dueDate), isOverdue ? OVERDUE : BODY);
  const servicePeriod = writtenDates(serviceFrom, serviceTo, figures.date);
  if (servicePeriod) placeField(words.servicePeriod, servicePeriod.replace(' – ', ' –\n'), BODY);
  if (purchaseOrder) placeField(words.purchaseOrder, purchaseOrder, BODY);
}

function amountMarks(printing: Printing, y: number): Mark[] {
  const [word, amount] = mainAmount(printing);
  const style = amountDueStyle(printing.accent);
  const line = fitting(printing.figures.moneyAlone(amount), style, AMOUNT_WIDTH, printing.typesetter);
  return [
    ...tagged(paragraph(), [textToRight(labelOf(printing, word), RIGHT, y)]),
    ...tagged(paragraph(), [textToRight(line, RIGHT, y + LABEL.leadingPoints)]),
  ];
}

function placeLink(flow: Flow, printing: Printing): void {
  const { invoice, words, typesetter, accent } = printing;
  const style = linkStyle(accent);
  const url = paymentUrlOf(invoice);
  if (url === null) return;
  const label = labelOf(printing, words.payOnline);
  const address = typesetter.shortened(url.replace(/^https:\/\/|\/$/g, ''), style, AMOUNT_WIDTH);
  flow.place(LABEL.leadingPoints + style.leadingPoints, (y) => [
    ...tagged(paragraph(), [textToRight(label, RIGHT, y)]),
    ...tagged(linkTo({ url, meaning: `${words.payOnline}: ${url}` }), [
      textToRight(address, RIGHT, y + LABEL.leadingPoints),
    ]),
  ]);
}

const CODE_SPACE = 6;

function placeCode(flow: Flow, printing: Printing, code: PaymentCode): void {
  const label = labelOf(printing, printing.words.scanToPay);
  flow.skip(CODE_SPACE);
  flow.place(CODE_SIZE + LABEL.leadingPoints, (y) => [
    ...codeMarks(code, RIGHT, y),
    ...tagged(paragraph(), [textToRight(label, RIGHT, y + CODE_SIZE)]),
  ]);
}

function mainAmount({ invoice, words }: Printing): [string, string] {
  const { status, total, amountPaid, amountDue } = invoice;
  if (status === 'sent') return [words.amountDue, amountDue];
  return status === 'paid' ? [words.amountPaid, amountPaid] : [words.total, total];
}
