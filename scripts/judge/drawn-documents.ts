import fc from 'fast-check';
import { type Client, newClient } from '#shared/domain/clients/client.ts';
import { creditInvoice } from '#shared/domain/invoices/credit-note.ts';
import { type Credited, hasRest, type LineCredit } from '#shared/domain/invoices/crediting.ts';
import type { Invoice, LineItem, Payment } from '#shared/domain/invoices/invoice.ts';
import { draftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import { amountDueOf, recordPayment } from '#shared/domain/invoices/payments.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { type PrintedInvoice, printedCreditNote } from '#shared/domain/invoices/printed-invoice.ts';
import { asSent } from '#shared/domain/invoices/sending.ts';
import { type BillableEntry, TIME_GROUPINGS } from '#shared/domain/invoices/tracked-time.ts';
import { LOCALES } from '#shared/domain/locale.ts';
import { formatMinor, parseMinor } from '#shared/domain/money.ts';
import { newOrganization, type Organization } from '#shared/domain/organization/organization.ts';
import { TAX_CATEGORIES, TAX_ROUNDINGS, type TaxCategory } from '#shared/domain/tax.ts';
import { amountMinorOf, newEntry } from '#shared/domain/tracker/entry.ts';
import { plusDays } from '#shared/domain/tracker/work-time.ts';
import companies from './companies.json' with { type: 'json' };
import variants from './variants.json' with { type: 'json' };

/**
 * Invoices and credit notes as the domain makes them. Most are complete, since a document that lacks many members is
 * refused whatever the rest of it is; the others have a few flaws.
 */

const now = new Date('2026-11-20T12:00:00.000Z');
const FIRST_OF_MONTH = '2026-11-01';

const HOSTILE = [
  ']]>',
  '<b>&amp;</b> & "quoted" \'text\'',
  '  spaces  around  ',
  'lines\nand\r\ntabs\t',
  'שלום עליכם',
  '\u202eright to left\u202c',
  'emoji 👩‍🔧 and 𝔘',
  'é in two parts: e\u0301',
  'line\u2028and paragraph\u2029',
  'a control\u0007',
  'no character\ufffe',
  'next\u0085line',
  ' ',
  '\u00a0',
  '-',
  'x'.repeat(255),
];

const text = fc.oneof(
  { weight: 15, arbitrary: fc.constantFrom('Design', 'Consulting, on site', 'Übersetzung für Łódź', '設計') },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
);

/** @param most whole units */
const decimal = (most: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: most }).map(String) },
    { weight: 5, arbitrary: fc.integer({ min: 1, max: most * 100 }).map((cents) => (cents / 100).toFixed(2)) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: most * 1_000 }).map((mills) => (mills / 1_000).toFixed(6)) },
    { weight: 1, arbitrary: fc.constantFrom('0.000001', '0.333333', '0', '999999999.999999') },
  );

/** With as many digits as callers may send, or nearly so. */
const large = fc.oneof(fc.stringMatching(/^[1-9]\d{4,11}(?:\.\d{1,6})?$/), fc.stringMatching(/^[1-9]\d{0,3}0{3,8}$/));

const november = (first: number, last: number) =>
  fc.integer({ min: first, max: last }).map((day) => plusDays(FIRST_OF_MONTH, day - 1));

const partsOfLine = {
  name: text,
  description: fc.oneof(fc.constant(''), text),
  quantity: decimal(1_000),
  unit: fc.constantFrom('hour', 'day', 'month', 'unit', 'piece', 'km', ''),
  price: decimal(10_000),
  /** Which of the rates and categories of its document. */
  tax: fc.nat({ max: 11 }),
  serviceFrom: fc.option(november(1, 14)),
  serviceTo: fc.option(november(14, 28)),
};

const plainLine = fc.record(partsOfLine);

const largeLine = fc.oneof(
  fc.record({ ...partsOfLine, price: large }),
  fc.record({ ...partsOfLine, quantity: large, price: decimal(1_000) }),
);

const MOST_LINES = 6;

const linesOf = (line: typeof plainLine) => fc.array(line, { minLength: 1, maxLength: MOST_LINES });

const trackedTime = fc.record({
  groupBy: fc.constantFrom(...TIME_GROUPINGS),
  tax: fc.nat({ max: 11 }),
  entries: fc.array(
    fc.record({
      description: text,
      durationMinutes: fc.integer({ min: 1, max: 600 }),
      entryDate: november(1, 28),
      rate: fc.constantFrom('95', '95.50', '0.01', '133.333333', '0'),
      projectId: fc.constantFrom('website', 'app', null),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

const TRADES = [
  'domestic',
  'exempt',
  'reverse_charge',
  'intra_community',
  'export',
  'outside_scope',
  'anything',
] as const;

interface Tax {
  readonly taxRate: string | null;
  readonly taxCategory: TaxCategory | null;
  readonly taxExemptionReason: string | null;
}

function taxOf(taxRate: string | null, taxCategory: TaxCategory | null): Tax {
  const taxExemptionReason = taxCategory === 'exempt' ? 'Exempt under article 132 of the directive.' : null;
  return { taxRate, taxCategory, taxExemptionReason };
}

function taxesOf(trade: (typeof TRADES)[number], rates: readonly string[]): Tax[] {
  const standard = rates.map((rate) => taxOf(rate, null));
  if (trade === 'domestic') return [...standard, taxOf(rates[0] ?? '20', 'standard'), taxOf('0', 'zero')];
  if (trade === 'exempt') return [...standard, taxOf(null, 'exempt'), taxOf('0', 'exempt')];
  if (trade !== 'anything') return [taxOf(null, trade), taxOf('0', trade)];
  const untaxed = TAX_CATEGORIES.filter((category) => category !== 'standard').map((category) => taxOf('0', category));
  return [...standard, taxOf('0.4', null), taxOf('100', null), taxOf(null, null), ...untaxed];
}

const some = <T>(all: readonly T[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<T[]>([]) },
    { weight: 3, arbitrary: fc.subarray([...all], { minLength: 1, maxLength: 2 }) },
  );

/** Numbers whose check digits are right, as companies in these countries have them, and rates in percent. */
const COMPANIES: Readonly<Record<string, Company>> = companies;

type Company = Pick<Organization, 'vatNumber' | 'registrationNumber' | 'electronicAddress' | 'iban'> & {
  readonly rates: readonly string[];
};

const codes = Object.keys(COMPANIES);

/** Options are no flaws: no format demands them. */
const OF_SELLERS: Readonly<Record<'options' | 'flaws', readonly Partial<Organization>[]>> = variants.seller;

const OF_CUSTOMERS: Readonly<Record<'options' | 'flaws', readonly Partial<Client>[]>> = variants.customer;

const SIXTHS = 6;

const drawn = fc.record({
  trade: fc.oneof(
    { weight: 4, arbitrary: fc.constant('domestic' as const) },
    { weight: 6, arbitrary: fc.constantFrom(...TRADES) },
  ),
  sellerCountry: fc.constantFrom('DE', ...codes),
  /** Null: that of the seller. */
  customerCountry: fc.option(fc.constantFrom(...codes), { freq: 3 }),
  sellerOptions: fc.subarray([...OF_SELLERS.options]),
  customerOptions: fc.subarray([...OF_CUSTOMERS.options]),
  sellerFlaws: some(OF_SELLERS.flaws),
  customerFlaws: some(OF_CUSTOMERS.flaws),
  currency: fc.oneof(
    { weight: 8, arbitrary: fc.constant('EUR') },
    {
      weight: 6,
      arbitrary: fc.constantFrom('CHF', 'DKK', 'GBP', 'HUF', 'ISK', 'JPY', 'NOK', 'PLN', 'SEK', 'USD', 'KWD', 'XCG'),
    },
  ),
  locale: fc.constantFrom(null, ...LOCALES),
  taxRounding: fc.constantFrom('rate', ...TAX_ROUNDINGS),
  discountPercent: fc.constantFrom(null, null, null, '10', '3', '12.5', '33.333333', '100', '0'),
  dueDays: fc.constantFrom(30, 14, 14, 0, null),
  service: fc.constantFrom(
    {},
    {},
    { serviceTo: '2026-12-31' },
    { serviceFrom: '2026-10-01' },
    { serviceFrom: '2026-10-01', serviceTo: '2026-12-31' },
    { serviceFrom: '2026-11-14', serviceTo: '2026-11-14' },
  ),
  purchaseOrder: fc.oneof(fc.constant(null), text),
  notes: fc.oneof(fc.constant(null), text),
  /** Validators do not compute with all digits of large amounts. */
  lines: fc.oneof(
    { weight: 2, arbitrary: linesOf(plainLine) },
    { weight: 1, arbitrary: linesOf(fc.oneof(plainLine, largeLine)) },
  ),
  time: fc.option(trackedTime, { freq: 2 }),
  isPartlyPaid: fc.boolean(),
  credit: fc.option(
    fc.record({
      reason: text,
      /** The credited part of each line, in sixths. */
      sixths: fc.array(fc.nat({ max: SIXTHS }), { maxLength: MOST_LINES }),
      by: fc.constantFrom('quantity', 'amount'),
      /** The second credit note takes all that the first has left. */
      isSecond: fc.boolean(),
    }),
    { freq: 2 },
  ),
});

export type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A total has at most 15 digits before the point. With the highest rate, tax is as much again. */
const MAX_UNTAXED = 499_999_999_999_999;

const hasTotal = ({ lines }: Drawn) =>
  lines.reduce((sum, { quantity, price }) => sum + Number(quantity) * Number(price), 0) < MAX_UNTAXED;

export const drawnDocument: fc.Arbitrary<PrintedInvoice> = drawn.filter(hasTotal).map(documentOf);

export function documentOf(draw: Drawn): PrintedInvoice {
  let count = 0;
  const newId = () => `id-${++count}`;
  const entries = entriesOf(draw, newId);
  const invoice = invoiceOf(draw, entries, newId);
  const credit = invoice.lineItems.some((line) => hasRest(line, undefined)) ? draw.credit : null;
  return credit ? credited(invoice, credit, entries, newId) : paid(invoice, draw.isPartlyPaid);
}

function sellerOf({ sellerCountry, sellerOptions, sellerFlaws, taxRounding, currency }: Drawn): Organization {
  const { vatNumber, registrationNumber, electronicAddress, iban } = companyIn(sellerCountry);
  return {
    ...newOrganization({ name: 'Acme', currency }, 'organization', now),
    vatNumber,
    registrationNumber,
    electronicAddress,
    iban,
    taxRounding,
    addressLine1: 'Main Street 1',
    city: 'Capital',
    postalCode: '10115',
    countryCode: sellerCountry,
    email: 'billing@acme.example',
    phone: '+49 30 123456',
    contactName: 'Ana Ruiz',
    ...merged([...sellerOptions, ...sellerFlaws]),
  };
}

function customerOf({ sellerCountry, customerCountry, customerOptions, customerFlaws }: Drawn): Client {
  const countryCode = customerCountry ?? sellerCountry;
  const { vatNumber, electronicAddress } = companyIn(countryCode);
  const details = {
    name: 'Globex',
    contact: 'Bo Lund',
    buyerReference: '04011000-12345-03',
    vatNumber,
    electronicAddress,
    addressLine1: 'Side Street 2',
    city: 'Harbour',
    postalCode: '20095',
    countryCode,
    email: 'invoices@globex.example',
  };
  const told = { ...details, ...merged([...customerOptions, ...customerFlaws]) };
  return newClient(told, 'organization', 'client', now);
}

function merged<T extends object>(parts: readonly Partial<T>[]): Partial<T> {
  const all: Partial<T> = {};
  for (const part of parts) Object.assign(all, part);
  return all;
}

function companyIn(country: string) {
  const company = COMPANIES[country];
  if (!company) throw new Error(`There is no company in ${country}.`);
  return company;
}

function entriesOf({ time, currency }: Drawn, newId: () => string): BillableEntry[] {
  const owner = { organizationId: 'organization', userId: 'ana', currency };
  return (time?.entries ?? []).map(({ rate, projectId, ...draft }) => ({
    ...newEntry({ ...draft, billable: true, clientId: 'client' }, null, owner, newId(), now),
    projectId,
    rate,
  }));
}

function invoiceOf(draw: Drawn, selected: readonly BillableEntry[], newId: () => string): Invoice {
  const { trade, sellerCountry, currency, locale, discountPercent, dueDays, service, purchaseOrder, notes, time } =
    draw;
  const taxes = taxesOf(trade, companyIn(sellerCountry).rates);
  const taxAt = (position: number) => taxes[position % taxes.length] ?? taxOf(null, null);
  const issueDate = '2026-11-20';
  const draft = {
    issueDate,
    dueDate: dueDays === null ? null : plusDays(issueDate, dueDays),
    locale,
    discountPercent,
    purchaseOrder,
    notes,
    ...service,
    lineItems: draw.lines.map(({ tax, ...line }) => ({ ...line, ...taxAt(tax) })),
    ...(time && { timeEntries: { groupBy: time.groupBy, ...taxAt(time.tax) } }),
  };
  const sources = {
    currency,
    products: new Map(),
    entries: new Map(),
    ownProductIds: new Set<string>(),
    projectNames: new Map([
      ['website', 'Website'],
      ['app', 'App & backend'],
    ]),
    newId,
    selected,
    organization: sellerOf(draw),
    client: customerOf(draw),
  };
  return asSent(draftInvoice(draft, sources, 'invoice', now), 'INV-000042', now);
}

function paid(invoice: Invoice, isPartlyPaid: boolean): PrintedInvoice {
  const today = invoice.issueDate;
  const halfMinor = parseMinor(amountDueOf(invoice)) / 2n;
  if (!isPartlyPaid || halfMinor === 0n) return { ...presentInvoice(invoice, today), payments: [] };
  const amount = formatMinor(halfMinor, invoice.currency);
  const draft = { amount, date: today, method: null, reference: null };
  const { invoice: after, payment } = recordPayment(invoice, 'payment', draft, 'payment', now);
  return { ...presentInvoice(after, today), payments: [payment satisfies Payment] };
}

type CreditDraw = NonNullable<Drawn['credit']>;

function credited(
  invoice: Invoice,
  { reason, sixths, by, isSecond }: CreditDraw,
  entries: readonly BillableEntry[],
  newId: () => string,
): PrintedInvoice {
  const timeOf = (id: string) => {
    const entry = entries.find((each) => each.id === id);
    return (
      entry && {
        date: entry.entryDate,
        minutes: entry.billedMinutes,
        workedMinutes: entry.durationMinutes,
        amountMinor: amountMinorOf(entry),
      }
    );
  };
  const credit = (of: Invoice, before: Credited, lines: readonly LineCredit[] | undefined, number: string) => {
    const sources = { credited: before, timeOf, issueDate: of.issueDate, number, numberPlace: null, id: number, newId };
    return creditInvoice(of, { reason, ...(lines && { lines }), releaseEntries: true }, sources, now);
  };
  const lines = invoice.lineItems.flatMap((line, position) =>
    wishOf(line, sixths[position] ?? 0, by, invoice.currency),
  );
  const first = credit(invoice, new Map(), lines.length > 0 ? lines : undefined, 'CN-000007');
  if (!isSecond || first.invoice.status === 'credited') return printedCreditNote(first.creditNote);
  return printedCreditNote(credit(first.invoice, first.credited, undefined, 'CN-000008').creditNote);
}

function wishOf(line: LineItem, sixths: number, by: CreditDraw['by'], currency: string): LineCredit[] {
  if (sixths === 0 || !hasRest(line, undefined)) return [];
  const lineItemId = line.id;
  if (line.entryIds.length > 0) {
    return [{ lineItemId, entryIds: line.entryIds.slice(0, Math.ceil((line.entryIds.length * sixths) / SIXTHS)) }];
  }
  if (by === 'quantity') {
    const whole = Math.floor((Number(line.quantity) * sixths) / SIXTHS);
    return [{ lineItemId, quantity: whole === 0 ? line.quantity : String(whole) }];
  }
  const amountMinor = (parseMinor(line.amount) * BigInt(sixths)) / BigInt(SIXTHS);
  return amountMinor === 0n ? [] : [{ lineItemId, amount: formatMinor(amountMinor, currency) }];
}
