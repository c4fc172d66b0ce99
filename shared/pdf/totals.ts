import type { TaxShare } from '#shared/domain/invoices/figures.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { formatMinor, parseMinor, sumMinor } from '#shared/domain/money.ts';
import type { Flow } from './flow.ts';
import { RIGHT, rule, SECOND_COLUMN, tagged, textFromLeft, textToRight } from './page.ts';
import type { Printing } from './printing.ts';
import { BODY, TOTAL } from './styles.ts';
import { cell, row, rowHead, table } from './tags.ts';
import type { TextStyle } from './typesetter/typesetter.ts';
import { LANGUAGES } from './words/words.ts';

interface Sum {
  readonly word: string;
  readonly amount: string;
  readonly style: TextStyle;
}

interface Totals {
  readonly left: number;
  readonly height: number;
  place(flow: Flow): void;
}

/** The totals begin below the seller. */
const LEAST_WIDTH = RIGHT - SECOND_COLUMN;
const GAP = 24;
const PADDING = 8;
const RULE_SPACE = 8;

export function totalsOf(printing: Printing): Totals {
  const { figures, typesetter, accent } = printing;
  const rows = sumsOf(printing).map(({ word, amount, style }) => ({
    label: typesetter.line(word, style),
    amount: typesetter.line(figures.money(amount), style),
    height: style.leadingPoints + (style === TOTAL ? RULE_SPACE : 0),
  }));
  const widths = rows.map(({ label, amount }) => label.width + GAP + amount.width);
  const left = RIGHT - Math.max(LEAST_WIDTH, ...widths);
  const height = rows.reduce((sum, one) => sum + one.height, 2 * PADDING);
  const marks = (top: number) => {
    const tag = table();
    let end = top + PADDING;
    return rows.flatMap(({ label, amount, height }) => {
      end += height;
      const [sum, y] = [row(tag), end - label.style.leadingPoints];
      return [
        ...(label.style === TOTAL
          ? [rule(end - height + RULE_SPACE / 2, 0.8, accent.strongRule, left, RIGHT - left)]
          : []),
        ...tagged(rowHead(sum), [textFromLeft(label, left, y)]),
        ...tagged(cell(sum), [textToRight(amount, RIGHT, y)]),
      ];
    });
  };
  return { left, height, place: (flow) => flow.place(height, marks) };
}

/** With more rates than this, the tax is shown as one sum. */
const MOST_RATES = 8;

function sumsOf(printing: Printing): Sum[] {
  const { invoice, words } = printing;
  const { currency, status, subtotal, taxes, total, creditedTotal, amountPaid, amountDue, amountToRefund } = invoice;
  const plain = (word: string, amount: string) => ({ word, amount, style: BODY });
  const strong = (word: string, amount: string) => ({ word: `${word} ${currency}`, amount, style: TOTAL });
  const isDiscounted = !isZero(invoice.discountTotal);
  const isCredited = !isZero(creditedTotal);
  const isPaidInParts = (status === 'sent' || isCredited) && !isZero(amountPaid);
  return [
    ...(isDiscounted ? discountSums(printing) : []),
    ...(isDiscounted || taxes.length > 0 ? [plain(words.subtotal, subtotal)] : []),
    ...taxSums(printing),
    strong(words.total, total),
    ...(isCredited ? [plain(words.credited, negative(creditedTotal))] : []),
    ...(isPaidInParts ? [plain(words.amountPaid, negative(amountPaid))] : []),
    ...(status === 'sent' && (isCredited || isPaidInParts) ? [strong(words.amountDue, amountDue)] : []),
    ...(isZero(amountToRefund) ? [] : [strong(words.amountToRefund, amountToRefund)]),
  ];
}

function discountSums({ invoice, words, figures }: Printing): Sum[] {
  const { lineItems, discountPercent, discountTotal, currency } = invoice;
  const sum = sumMinor(lineItems.map(({ amount }) => parseMinor(amount)));
  const rate = discountPercent === null ? '' : ` ${figures.percent(discountPercent)}`;
  return [
    { word: words.linesTotal, amount: formatMinor(sum, currency), style: BODY },
    { word: `${words.discount}${rate}`, amount: negative(discountTotal), style: BODY },
  ];
}

function taxSums({ invoice, words, figures }: Printing): Sum[] {
  const { taxes, subtotal, taxTotal } = invoice;
  if (taxes.length > MOST_RATES) return [{ word: words.tax, amount: taxTotal, style: BODY }];
  return taxes.map((share) => {
    const { taxRate, base, amount } = share;
    const tax = `${words.tax} ${figures.percent(taxRate)}${categoryAmong(invoice, share)}`;
    const isOfAll = taxes.length === 1 && base === subtotal;
    return { word: isOfAll ? tax : `${tax} ${words.on} ${figures.money(base)}`, amount, style: BODY };
  });
}

/** Empty where the rate alone tells the tax from the others. */
function categoryAmong({ taxes, locale }: PrintedInvoice, { taxCategory, taxRate }: TaxShare): string {
  const isAlone = taxes.filter((other) => other.taxRate === taxRate).length === 1;
  return isAlone || taxCategory === 'standard' ? '' : ` (${LANGUAGES[locale ?? 'en'].taxCategories[taxCategory]})`;
}

function isZero(amount: string): boolean {
  return parseMinor(amount) === 0n;
}

function negative(amount: string): string {
  return isZero(amount) ? amount : `-${amount}`;
}
