import { describe, expect, it } from 'vitest';
import { type Client, newClient } from '#shared/domain/clients/client.ts';
import { creditInvoice } from '#shared/domain/invoices/credit-note.ts';
import {
  type Invoice,
  invoiceCurrency,
  invoiceEmpty,
  type LineItem,
  newInvoice,
  reviseInvoice,
} from '#shared/domain/invoices/invoice.ts';
import { draftInvoice, redraftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import {
  areAlike,
  copiedProductIds,
  type LineDraft,
  type LineSources,
  lineItemsOf,
} from '#shared/domain/invoices/line-item.ts';
import { withParties } from '#shared/domain/invoices/parties.ts';
import { type PaymentDraft, payRest, recordPayment, takePaymentBack } from '#shared/domain/invoices/payments.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { invoiceAsSent, printedCreditNote } from '#shared/domain/invoices/printed-invoice.ts';
import { asSent, asVoid } from '#shared/domain/invoices/sending.ts';
import {
  assertLegal,
  INVOICE_STATES,
  INVOICE_STEPS,
  type InvoiceState,
  type InvoiceStep,
} from '#shared/domain/invoices/steps.ts';
import { sellerOf } from '#shared/domain/organization/organization.ts';
import { newProduct } from '#shared/domain/products/product.ts';
import { FIRST_CREDIT, NO_SOURCES } from '#test/support/invoice-sources.ts';
import { organizationOf } from '#test/support/organization.ts';
import { missingAt, problem, refused } from '#test/support/refusals.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const later = new Date('2026-11-21T12:00:00.000Z');
const client: Client = newClient({ name: 'Globex', city: 'Berlin', note: 'Pays late' }, 'org', 'client', now);
const organization = organizationOf({ taxNumber: 'DE987654321' });
const terms = { currency: 'USD', dueDate: null, notes: null };
const owner = { organizationId: 'org', userId: 'ana', currency: 'USD' };
const product = newProduct(
  { name: 'Hosting', description: 'A month', sku: null, category: null, price: '49.90', unit: 'month', taxRate: '19' },
  owner,
  'product',
  now,
);

const sources: LineSources = {
  ...NO_SOURCES,
  currency: 'USD',
  products: new Map([['product', product]]),
  newId: () => 'line',
};

const linesOf = (draft: LineDraft, more: Partial<LineSources> = {}) => lineItemsOf([draft], { ...sources, ...more });

const invoiceOf = (lineItems: readonly LineItem[], more: Partial<typeof terms> & { issueDate?: string } = {}) =>
  newInvoice({ ...terms, ...more }, { organization, client }, lineItems, 'id', now);

const [line] = linesOf({ name: 'Work', price: '10' });

const draft: Invoice = invoiceOf(line ? [line] : []);

describe('a line', () => {
  const none = { description: '', workedMinutes: null, unit: '', taxRate: null, taxCategory: null };
  const untold = { taxExemptionReason: null, serviceFrom: null, serviceTo: null };

  it('is one of what it names, and otherwise says nothing, or what it is given', () => {
    const named = { id: 'line', productId: null, entryIds: [], quantity: '1', name: 'Work', price: '10' };
    expect(line).toEqual({ ...named, ...none, ...untold, amount: '10.00' });
    const days = { serviceFrom: '2026-11-01', serviceTo: '2026-11-30' };
    const tax = { taxRate: '0', taxCategory: 'exempt', taxExemptionReason: 'Education' } as const;
    const own = { name: 'Work', price: '10', quantity: '2', description: 'Own', unit: 'day', ...tax, ...days };
    expect(linesOf(own)).toEqual([{ ...line, ...own, amount: '20.00' }]);
    const mismatch = 'With a rate above 0 the category is "standard", not "exempt".';
    expect(() => linesOf({ ...own, taxRate: '7' })).toThrow(
      refused('tax_category_mismatch', 'lineItems.0.taxCategory', mismatch),
    );
  });

  it('may be of a single day, but none that begins after it ends', () => {
    const work = (serviceFrom: string, serviceTo: string) =>
      lineItemsOf(
        [
          { name: 'Work', price: '10' },
          { name: 'Work', price: '10', serviceFrom, serviceTo },
        ],
        sources,
      )[1];
    const day = '2026-11-02';
    expect(work(day, day)).toMatchObject({ serviceFrom: day, serviceTo: day });
    const message = 'serviceFrom must not be later than serviceTo.';
    expect(() => work(day, '2026-11-01')).toThrow(refused('invalid_date_range', 'lineItems.1.serviceFrom', message));
  });

  it('is like another one with the same values, whatever their ids', () => {
    const [one, other] = [...draft.lineItems, ...linesOf({ productId: 'product' })];
    if (!one || !other) throw new Error('There is no line.');
    const renamed = [one, other].map((each, position) => ({ ...each, id: `${position}` }));
    expect(areAlike([one, other], renamed)).toBe(true);
    for (const others of [[other, one], [one], [one, other, other]]) expect(areAlike([one, other], others)).toBe(false);
    const { id: _, ...values } = one;
    for (const member of Object.keys(values)) expect(areAlike([one], [{ ...one, [member]: 'x' }])).toBe(false);
  });

  it.each([
    ['1', '0.005', 'USD', '0.01'],
    ['1', '0.00499', 'USD', '0.00'],
    ['999999999999.999999', '999999999999.999999', 'USD', '999999999999999998000000.00'],
    ['1.5', '1001', 'JPY', '1502'],
  ])('of %s at %s %s amounts to %s', (quantity, price, currency, amount) => {
    expect(linesOf({ name: 'x', quantity, price }, { currency })[0]?.amount).toBe(amount);
  });

  it('copies the values of its product, except where it has its own', () => {
    const { name, description, unit, price, taxRate } = product;
    const copied = { name, description, unit, price, taxRate, taxCategory: 'standard', amount: price };
    expect(linesOf({ productId: 'product' })).toEqual([{ ...line, productId: 'product', ...copied }]);
    const own = { name: 'Hosting, half', description: '', quantity: '0.5', unit: 'day', price: '2', taxRate: null };
    expect(linesOf({ productId: 'product', ...own })[0]).toMatchObject({
      ...own,
      productId: 'product',
      amount: '1.00',
    });
  });

  it('copies the reason of its product only with its category', () => {
    const tax = { taxRate: '0', taxCategory: 'exempt', taxExemptionReason: 'Education' } as const;
    const products = new Map([['product', { ...product, ...tax, hasOwnTaxCategory: true }]]);
    const reasonOf = (draft: LineDraft) =>
      linesOf({ productId: 'product', ...draft }, { products })[0]?.taxExemptionReason;
    expect(reasonOf({})).toBe('Education');
    expect(reasonOf({ taxExemptionReason: null })).toBeNull();
    expect(reasonOf({ taxCategory: 'export' })).toBeNull();
  });

  it('takes no product of another currency, and none that is not there', () => {
    const at = 'lineItems.0.productId';
    expect(() => linesOf({ productId: 'product' }, { currency: 'EUR' })).toThrow(
      refused('currency_mismatch', at, 'The product is priced in USD, and the invoice is in EUR.'),
    );
    expect(() => linesOf({ productId: 'other' })).toThrow(missingAt(at));
  });

  it.each([{ name: 'x' }, { price: '1' }])('of no product is not made of %j alone', (some) => {
    expect(() => linesOf(some)).toThrow('A line without a name or a price.');
  });

  it('that comes back as it was needs no product any more', () => {
    const gone = { products: new Map(), ownProductIds: new Set(['product']) };
    const shown = {
      productId: 'product',
      name: 'Hosting',
      description: '',
      unit: 'month',
      price: '49.90',
      taxRate: null,
      taxCategory: null,
      taxExemptionReason: null,
    };
    expect(linesOf(shown, gone)[0]).toMatchObject({ ...shown, amount: '49.90' });
    for (const member of Object.keys(shown).slice(1)) {
      expect(() => linesOf({ ...shown, [member]: undefined }, gone)).toThrow(problem('reference_not_found'));
    }
  });

  it('counts as a copy of its product each time, unless it came back as it was', () => {
    const values = { name: 'Hosting', description: '', unit: 'month', price: '49.90' };
    const whole = { ...values, taxRate: null, taxCategory: null, taxExemptionReason: null };
    const drafts: LineDraft[] = [
      { productId: 'new' },
      values,
      { ...values, productId: null },
      { ...values, productId: 'own' },
      { ...whole, productId: 'new' },
      { ...whole, productId: 'own' },
    ];
    expect(copiedProductIds(drafts, new Set(['own']))).toEqual(['new', 'own', 'new']);
    expect(copiedProductIds(drafts, new Set())).toEqual(['new', 'own', 'new', 'own']);
  });
});

describe('a new invoice', () => {
  it('is a draft of today without a number, with copies of its organization and client', () => {
    const { id: _, note, currency, externalId, metadata, organizationId, createdAt, updatedAt, ...customer } = client;
    expect(draft).toEqual({
      id: 'id',
      organizationId: 'org',
      number: null,
      numberPlace: null,
      status: 'draft',
      clientId: 'client',
      seller: sellerOf(organization),
      customer,
      currency: 'USD',
      issueDate: '2026-11-20',
      dueDate: null,
      purchaseOrder: null,
      locale: null,
      discountPercent: null,
      taxRounding: 'line',
      ownServiceDates: { serviceFrom: null, serviceTo: null },
      serviceFrom: null,
      serviceTo: null,
      lineItems: [line],
      discountTotal: '0.00',
      subtotal: '10.00',
      taxTotal: '0.00',
      total: '10.00',
      amountPaid: '0.00',
      paymentCount: 0,
      creditedTotal: '0.00',
      creditNoteCount: 0,
      paymentUrl: null,
      notes: null,
      externalId: null,
      metadata: {},
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      sentAt: null,
      paidAt: null,
      voidedAt: null,
    });
  });

  it('is in the currency that is named, else the client’s, else the organization’s', () => {
    expect(invoiceCurrency('EUR', { ...client, currency: 'JPY' }, 'USD')).toBe('EUR');
    expect(invoiceCurrency(undefined, { ...client, currency: 'JPY' }, 'USD')).toBe('JPY');
    expect(invoiceCurrency(undefined, client, 'USD')).toBe('USD');
  });

  it.each([
    [null, null],
    [0, '2026-11-20'],
    [14, '2026-12-04'],
  ])('is due by the terms of its organization: %s days, on %s', (paymentTermsDays, dueDate) => {
    const parties = { organization: organizationOf({ paymentTermsDays }), client };
    expect(newInvoice({ currency: 'USD' }, parties, draft.lineItems, 'id', now).dueDate).toBe(dueDate);
  });

  it('shows its organization and client as they are, and once it is sent as they were', () => {
    const { seller: _, ...kept } = draft;
    const parties = { organization: organizationOf({ name: 'Renamed' }), client: { ...client, city: 'Bonn' } };
    const { seller, customer } = withParties(kept, parties);
    expect([seller, customer]).toEqual([sellerOf(parties.organization), { ...draft.customer, city: 'Bonn' }]);
    expect(withParties(kept, { organization }).customer).toEqual(draft.customer);
    expect(withParties(draft, parties)).toEqual(draft);
  });

  it('is not due before it is issued', () => {
    const due = { ...terms, issueDate: '2026-11-20', dueDate: '2026-11-19' };
    expect(() => newInvoice(due, { organization, client }, draft.lineItems, 'id', now)).toThrow(
      refused('invalid_date_range', 'dueDate', 'dueDate must not be earlier than issueDate.'),
    );
    expect(
      newInvoice({ ...due, dueDate: '2026-11-20' }, { organization, client }, draft.lineItems, 'id', now).dueDate,
    ).toBe('2026-11-20');
  });

  it('is refused where it is too large to be sent, and so is a change that makes it so', () => {
    const large = { name: 'x', price: '1', description: 'x'.repeat(7_000_000) };
    const made = () =>
      draftInvoice({ lineItems: [large] }, { ...sources, organization, client, selected: [] }, 'id', now);
    expect(made).toThrow(problem('invoice_too_large'));
    expect(() => redraftInvoice(draft, {}, linesOf(large), later)).toThrow(problem('invoice_too_large'));
  });

  it.each([
    [{}, ''],
    [{ noRate: 1 }, ' Entries left out: 1 without a rate.'],
    [
      { notBillable: 1, otherCurrency: 1, invoiced: 1 },
      ' Entries left out: 1 not billable, 1 in another currency, 1 on an invoice.',
    ],
    [
      { notBillable: 3, noRate: 1, otherCurrency: 2, invoiced: 4 },
      ' Entries left out: 3 not billable, 1 without a rate, 2 in another currency, 4 on an invoice.',
    ],
  ])('that would have no line tells what was left out: %o', (some, leftOut) => {
    const skipped = { notBillable: 0, noRate: 0, otherCurrency: 0, invoiced: 0, ...some };
    const detail = `No unbilled billable time was found, and there is no other line.${leftOut}`;
    expect(invoiceEmpty(skipped).details).toEqual({
      detail,
      errors: [{ path: 'timeEntries', message: detail, code: 'invoice_empty' }],
      extensions: { skipped },
    });
  });
});

describe('a change of a draft', () => {
  it('sets what is sent, and the totals with the lines', () => {
    const [other] = linesOf({ productId: 'product' });
    const lineItems = other ? [other] : [];
    expect(reviseInvoice(draft, { dueDate: '2026-12-01', notes: 'Thanks' }, lineItems, later)).toEqual({
      ...draft,
      dueDate: '2026-12-01',
      notes: 'Thanks',
      lineItems,
      subtotal: '49.90',
      taxTotal: '9.48',
      total: '59.38',
      updatedAt: later.toISOString(),
    });
  });

  it('looks at both dates together', () => {
    const due = reviseInvoice(draft, { dueDate: '2026-12-01' }, undefined, later);
    expect(() => reviseInvoice(due, { issueDate: '2026-12-02' }, undefined, later)).toThrow(
      problem('invalid_date_range'),
    );
    expect(reviseInvoice(due, { issueDate: '2026-12-02', dueDate: null }, undefined, later).dueDate).toBeNull();
  });
});

describe('the steps of an invoice', () => {
  const at = later.toISOString();
  const sent = asSent(draft, 'INV-000001', later);
  const payment: PaymentDraft = { amount: '4.00', date: '2026-11-21', method: null, reference: null };
  const partPaid = recordPayment(sent, 'payment', payment, 'payment', later);
  const paid = payRest(partPaid.invoice, payment.date, 'rest', later).invoice;
  const annulled = asVoid(sent, later);
  const whole = { reason: 'Cancelled', releaseEntries: true };
  const credited = creditInvoice(partPaid.invoice, whole, FIRST_CREDIT, later).invoice;
  const inState: Readonly<Record<InvoiceState, Invoice>> = {
    draft,
    sent,
    part_paid: partPaid.invoice,
    paid,
    credited,
    void: annulled,
  };
  const take: Readonly<Record<InvoiceStep, (invoice: Invoice) => unknown>> = {
    change: (invoice) => reviseInvoice(invoice, { notes: null }, undefined, later),
    changePaymentUrl: (invoice) => reviseInvoice(invoice, { paymentUrl: null }, undefined, later),
    delete: (invoice) => assertLegal(invoice, 'delete'),
    send: (invoice) => asSent(invoice, 'INV-000002', later),
    recordPayment: (invoice) => recordPayment(invoice, 'payment', payment, 'another', later),
    pay: (invoice) => payRest(invoice, payment.date, 'rest', later),
    takePaymentBack: (invoice) => takePaymentBack(invoice, partPaid.payment, later),
    refund: (invoice) => recordPayment(invoice, 'refund', payment, 'refund', later),
    credit: (invoice) => creditInvoice(invoice, whole, FIRST_CREDIT, later),
    void: (invoice) => asVoid(invoice, later),
    makeEInvoice: (invoice) => assertLegal(invoice, 'makeEInvoice'),
    checkEInvoice: (invoice) => assertLegal(invoice, 'checkEInvoice'),
  };
  const everSent = ['sent', 'part_paid', 'paid', 'credited'] as const;
  /** How it is said who may take each, and in which states that is. */
  const legal: Readonly<Record<InvoiceStep, readonly [words: string, ...states: InvoiceState[]]>> = {
    change: ['a draft invoice can be changed', 'draft'],
    changePaymentUrl: ['a draft or sent invoice can be given another paymentUrl', 'draft', 'sent', 'part_paid'],
    delete: ['a draft invoice can be deleted', 'draft'],
    send: ['a draft invoice can be sent', 'draft'],
    recordPayment: ['a sent invoice can take a payment', 'sent', 'part_paid'],
    pay: ['a sent invoice can be paid', 'sent', 'part_paid'],
    takePaymentBack: ['a sent or paid or credited invoice can give a payment back', 'part_paid', 'paid', 'credited'],
    refund: ['a sent or paid or credited invoice can be refunded', ...everSent],
    credit: ['a sent or paid invoice can be credited', 'sent', 'part_paid', 'paid'],
    void: ['a sent invoice can be voided', 'sent'],
    makeEInvoice: ['a sent or paid or credited invoice can be an e-invoice', ...everSent],
    checkEInvoice: ['a draft or sent or paid or credited invoice can be checked', 'draft', ...everSent],
  };
  const matrix = INVOICE_STATES.flatMap((state) => INVOICE_STEPS.map((step) => [state, step] as const));

  it('are these', () => expect(INVOICE_STEPS).toEqual(Object.keys(legal)));

  it.each(matrix)('from %s let %s pass only where they may', (state, step) => {
    const hasNothing = step === 'refund' && state !== 'credited';
    const [, ...states] = legal[step];
    const isLegal = states.includes(state);
    if (isLegal && !hasNothing) return expect(() => take[step](inState[state])).not.toThrow();
    const refusals: Readonly<Record<string, string>> = {
      'part_paid void': 'invoice_has_payments',
      'credited void': 'invoice_has_credit_notes',
    };
    const illegal = refusals[`${state} ${step}`] ?? 'invoice_state_forbids';
    expect(() => take[step](inState[state])).toThrow(problem(isLegal ? 'refund_exceeds_credit' : illegal));
  });

  it.each<[InvoiceState, string, string]>([
    ['draft', '10.00', '0.00'],
    ['sent', '10.00', '0.00'],
    ['part_paid', '6.00', '0.00'],
    ['paid', '0.00', '0.00'],
    ['credited', '0.00', '4.00'],
    ['void', '0.00', '0.00'],
  ])('leave a %s invoice with %s due, and %s to refund', (state, amountDue, amountToRefund) => {
    expect(presentInvoice(inState[state], '2026-11-21')).toMatchObject({ amountDue, amountToRefund });
  });

  it('let pass a change of nothing', () => {
    for (const invoice of Object.values(inState)) {
      expect(reviseInvoice(invoice, {}, undefined, later)).toBe(invoice);
    }
  });

  it.each(INVOICE_STEPS)('are named where a state forbids them: %s', (step) => {
    expect(() => assertLegal(annulled, step)).toThrow(`The invoice is void; only ${legal[step][0]}.`);
  });

  it('name credit notes before payments where they forbid to void', () => {
    const half = { ...whole, lines: [{ lineItemId: 'line', amount: '5.00' }] };
    for (const invoice of [sent, partPaid.invoice]) {
      const corrected = creditInvoice(invoice, half, FIRST_CREDIT, later).invoice;
      expect(corrected.status).toBe('sent');
      expect(() => asVoid(corrected, later)).toThrow(
        'The invoice has credit notes, and cannot be voided: credit the rest instead.',
      );
    }
    expect(() => asVoid(partPaid.invoice, later)).toThrow(
      'The invoice has payments, and cannot be voided until they are taken back.',
    );
  });

  it('leave a hundred payments room for as many refunds', () => {
    const cent = { ...payment, amount: '0.01' };
    const most: Invoice = { ...credited, paymentCount: 100 };
    expect(recordPayment(most, 'refund', cent, 'refund', later).invoice.paymentCount).toBe(101);
    const full = recordPayment({ ...most, paymentCount: 199 }, 'refund', cent, 'refund', later).invoice;
    expect(() => recordPayment(full, 'refund', cent, 'refund', later)).toThrow(
      refused('too_many_payments', '', 'An invoice has at most 200 payments and refunds.'),
    );
    const hundred = { ...sent, paymentCount: 100 };
    for (const pay of [
      () => recordPayment(hundred, 'payment', cent, 'more', later),
      () => payRest(hundred, payment.date, 'rest', later),
    ]) {
      expect(pay).toThrow(refused('too_many_payments', '', 'An invoice has at most 100 payments.'));
    }
  });

  it('say how much may be paid, refunded or taken back', () => {
    const pay = (amount: string) => () => recordPayment(sent, 'payment', { ...payment, amount }, 'more', later);
    const refund = () => recordPayment(credited, 'refund', { ...payment, amount: '4.01' }, 'refund', later);
    const digits = 'An amount in USD has at most 2 digits after the point.';
    expect(pay('0.001')).toThrow(refused('invalid_payment_amount', 'amount', digits));
    expect(pay('10.01')).toThrow(refused('payment_exceeds_due', 'amount', 'Only 10.00 USD is due.'));
    expect(refund).toThrow(refused('refund_exceeds_credit', 'amount', 'Only 4.00 USD is to be refunded.'));
    const { invoice } = recordPayment(credited, 'refund', { ...payment, amount: '0.01' }, 'refund', later);
    expect(() => takePaymentBack(invoice, partPaid.payment, later)).toThrow(
      'More was refunded than would be left of the payments: take the refund back first.',
    );
  });

  it('are refused by the hundred and first credit note, and an exempt line without a reason', () => {
    const many = (creditNoteCount: number) => creditInvoice({ ...sent, creditNoteCount }, whole, FIRST_CREDIT, later);
    expect(many(99).invoice.creditNoteCount).toBe(100);
    expect(() => many(100)).toThrow(refused('too_many_credit_notes', '', 'An invoice has at most 100 credit notes.'));
    const nameless = () => creditInvoice({ ...sent, number: null }, whole, FIRST_CREDIT, later);
    expect(nameless).toThrow('An invoice that was sent has no number.');
    const exempt = linesOf({ name: 'Course', price: '1', taxCategory: 'exempt' });
    const explained = exempt.map((each) => ({ ...each, taxExemptionReason: 'Education' }));
    const send = (lineItems: LineItem[]) => asSent({ ...draft, lineItems }, 'INV-000002', later).status;
    expect(send(explained)).toBe('sent');
    const missing = 'An exempt line needs the reason why no tax is due.';
    expect(() => send([...explained, ...draft.lineItems, ...exempt])).toThrow(
      refused('tax_reason_missing', 'lineItems.2.taxExemptionReason', missing),
    );
  });

  it('tell when the last of them was taken', () => {
    const then = new Date(later.getTime() + 1);
    const taken = [
      asSent(draft, 'INV-000002', then),
      asVoid(sent, then),
      recordPayment(sent, 'payment', payment, 'another', then).invoice,
      payRest(sent, payment.date, 'rest', then).invoice,
      takePaymentBack(partPaid.invoice, partPaid.payment, then),
      creditInvoice(sent, whole, FIRST_CREDIT, then).invoice,
      recordPayment(credited, 'refund', payment, 'refund', then).invoice,
    ];
    for (const { updatedAt } of taken) expect(updatedAt).toBe(then.toISOString());
  });

  it('give a number, and its place among those of other formats', () => {
    expect(asSent(draft, 'INV-000002', later, '2')).toMatchObject({ number: 'INV-000002', numberPlace: '2' });
  });

  it('need no payment where nothing is due', () => {
    const free = payRest({ ...sent, creditedTotal: sent.total }, payment.date, 'rest', later);
    expect(free).toMatchObject({ invoice: { status: 'paid', amountPaid: '0.00', paymentCount: 0 }, payment: null });
  });

  it('change nothing of the invoice as it was sent', () => {
    const { draft: unsent, ...others } = inState;
    const asItWasSent = { status: 'sent', amountPaid: '0.00', creditedTotal: '0.00', amountDue: '10.00', payments: [] };
    expect(invoiceAsSent(unsent)).toMatchObject({ ...asItWasSent, status: 'draft' });
    for (const invoice of Object.values(others)) expect(invoiceAsSent(invoice)).toMatchObject(asItWasSent);
  });

  it('leave a link to pay on the invoice as it was sent, while something is due', () => {
    const linkOf = (invoice: Invoice) =>
      invoiceAsSent({ ...invoice, paymentUrl: 'https://bücher.example/1' }).paymentUrl;
    expect([sent, paid, annulled].map(linkOf)).toEqual(['https://xn--bcher-kva.example/1', null, null]);
  });

  it('leave nothing to pay on a credit note', () => {
    const { creditNote } = creditInvoice(paid, whole, FIRST_CREDIT, later);
    const [none, zero] = [{ dueDate: null, paymentUrl: null, notes: null, payments: [] }, '0.00'];
    const sums = { amountPaid: zero, amountDue: zero, creditedTotal: zero, amountToRefund: zero };
    expect(printedCreditNote(creditNote)).toMatchObject({ ...none, ...sums, isOverdue: false, total: '10.00' });
  });

  it('take a payment and a refund back as if they had never been', () => {
    expect(takePaymentBack(partPaid.invoice, partPaid.payment, later)).toEqual(sent);
    const refund = recordPayment(credited, 'refund', payment, 'refund', later);
    expect(takePaymentBack(refund.invoice, refund.payment, later)).toEqual(credited);
  });

  it('leave their moments, and a number that stays', () => {
    expect(sent).toEqual({ ...draft, status: 'sent', number: 'INV-000001', sentAt: at, updatedAt: at });
    expect(partPaid.invoice).toEqual({ ...sent, amountPaid: '4.00', paymentCount: 1 });
    expect(paid).toEqual({ ...sent, status: 'paid', amountPaid: '10.00', paymentCount: 2, paidAt: at });
    expect(annulled).toEqual({ ...sent, status: 'void', voidedAt: at });
  });
});
