import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { holdKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { plusDays } from '#shared/domain/tracker/work-time.ts';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

const LINES = [
  { name: 'Hosting', quantity: '3', price: '10.00', taxRate: '19' },
  { name: 'Setup', price: '100.00', taxRate: '7' },
];

const read = async (by: User, path: string): Promise<Json> => (await by.get(path)).body.data;

const fault = (path: string, code: string) => ({ status: 400, body: { code, errors: [{ path, code }] } });

describe('POST /invoices/{id}/credit-notes', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user({ currency: 'EUR' });
  });

  const sent = (values: object = {}) => given.sentInvoice(ana, { lineItems: LINES, ...values });

  it('credits all that is left, with the parties and terms of the invoice', async () => {
    const bea = await given.user();
    const terms = { purchaseOrder: 'PO-4711', serviceFrom: '2026-11-01', serviceTo: '2026-11-30' };
    const invoice = await given.sentInvoice(bea, { lineItems: LINES, discountPercent: '10', locale: 'de', ...terms });
    const reply = await bea.post(`/invoices/${invoice.id}/credit-notes`, { reason: ' Cancelled ' });
    expect(reply.status).toBe(201);
    const { id, number, invoiceId, invoiceNumber, lineItems, createdAt, issueDate, reason, ...copied } =
      reply.body.data;
    expect({ number, invoiceId, invoiceNumber, reason }).toEqual({
      number: 'CN-000001',
      invoiceId: invoice.id,
      invoiceNumber: 'INV-000001',
      reason: 'Cancelled',
    });
    expect(issueDate).toBe(createdAt.slice(0, 10));
    expect(invoice).toMatchObject(copied);
    expect(copied).toMatchObject(terms);
    const ofInvoice = invoice.lineItems.map((line: Json) => line.id);
    const lines = invoice.lineItems.map((line: Json) => ({
      ...line,
      id: expect.toSatisfy((lineId) => !ofInvoice.includes(lineId)),
      lineItemId: line.id,
    }));
    expect(lineItems).toEqual(lines);
    expect(await read(bea, `/credit-notes/${id}`)).toEqual(reply.body.data);
    expect(await read(bea, `/invoices/${invoice.id}`)).toMatchObject({
      status: 'credited',
      creditedTotal: invoice.total,
      amountDue: '0.00',
      amountToRefund: '0.00',
      paidAt: null,
    });
    const [listed] = (await bea.get('/invoices', { status: 'credited' })).body.data;
    expect(listed.id).toBe(invoice.id);
  });

  it('credits by quantity, by amount and then the rest, to the cent', async () => {
    const { id, total, lineItems } = await sent();
    const after = await presentEnd(ana);
    const [hosting, setup] = lineItems;
    const first = await given.creditNote(ana, id, {
      lines: [
        { lineItemId: hosting.id, quantity: '1.5' },
        { lineItemId: setup.id, amount: '33.33' },
      ],
    });
    expect(await read(ana, `/invoices/${id}`)).toMatchObject({ status: 'sent', creditedTotal: '53.51' });
    const second = await given.creditNote(ana, id);
    expect(await read(ana, `/invoices/${id}`)).toMatchObject({ status: 'credited', creditedTotal: total });
    expect(await happenedSince(ana, after)).toEqual([
      ['credit_note.created', { type: 'credit_note', id: first.id, invoiceId: id }],
      ['invoice.updated', { type: 'invoice', id }],
      ['credit_note.created', { type: 'credit_note', id: second.id, invoiceId: id }],
      ['invoice.credited', { type: 'invoice', id }],
    ]);
  });

  it('tries a credit without writing anything', async () => {
    const { id } = await sent();
    const before = await read(ana, `/invoices/${id}`);
    const { meta } = (await ana.get('/credit-notes')).body;
    const after = await presentEnd(ana);
    const dry = await ana.send('POST', `/invoices/${id}/credit-notes`, {
      query: { dryRun: 'true' },
      body: { reason: 'Cancelled' },
    });
    expect(dry).toMatchObject({ status: 200, body: { data: { id: null, number: null, total: before.total } } });
    expect(await read(ana, `/invoices/${id}`)).toEqual(before);
    expect((await ana.get('/credit-notes')).body.meta).toEqual(meta);
    expect(await happenedSince(ana, after)).toEqual([]);
    const made = await given.creditNote(ana, id);
    const { id: _, number, lineItems, createdAt, ...same } = made;
    expect(dry.body.data).toMatchObject(same);
  });

  it('leaves no hold once all entries of an invoice are free', async () => {
    const { id: clientId } = await given.client(ana);
    const entry = await given.entry(ana, { clientId, rate: 60 });
    const { id } = await given.sentInvoice(ana, { clientId, lineItems: [{ entryIds: [entry.id] }] });
    const { holdId } = await readEntry(ana.organization.id, entry.id);
    const hold = () => readItem(holdKey(ana.organization.id, holdId ?? ''));
    expect(await hold()).toBeDefined();
    await given.creditNote(ana, id);
    expect(await hold()).toBeUndefined();
  });

  it('frees the entries of a credited line at once, or keeps them for good', async () => {
    const { id: clientId } = await given.client(ana);
    const entries: Json[] = [];
    for (const day of [1, 2, 3, 4]) {
      entries.push(await given.entry(ana, { clientId, rate: 60, durationMinutes: 50, entryDate: `2026-11-0${day}` }));
    }
    const [one, two, three, four] = entries.map(({ id }) => id);
    const { id, lineItems } = await given.sentInvoice(ana, {
      clientId,
      lineItems: [{ entryIds: [one, two, three, four] }],
    });
    const statuses = async () => {
      const shown = entries.map((entry) => read(ana, `/v1/work/tracker/entries/${entry.id}`));
      return (await Promise.all(shown)).map(({ billingStatus, invoiceId }) => [billingStatus, invoiceId === id]);
    };
    const [held, free] = [
      ['invoiced', true],
      ['unbilled', false],
    ];
    const lineItemId = lineItems[0].id;
    const { holdId } = await readEntry(ana.organization.id, three);
    const hold = () => readItem(holdKey(ana.organization.id, holdId ?? ''));
    const whole = await hold();
    const released = await given.creditNote(ana, id, { lines: [{ lineItemId, entryIds: [two] }] });
    expect(released.lineItems).toMatchObject([{ entryIds: [two], quantity: '0.833333', description: '2026-11-02' }]);
    expect(await statuses()).toEqual([held, free, held, held]);
    const before = await hold();
    expect(before?.version).toEqual(expect.any(Number));
    expect(before?.version).not.toBe(whole?.version);
    await given.creditNote(ana, id, { lines: [{ lineItemId, entryIds: [three] }], releaseEntries: false });
    expect(await statuses()).toEqual([held, free, held, held]);
    expect([before, await hold()]).toEqual([expect.anything(), before]);
    const again = await given.invoice(ana, { clientId, lineItems: [{ entryIds: [two] }] });
    expect(again.total).toBe('50.00');
    const rest = await given.creditNote(ana, id);
    expect(rest.lineItems).toMatchObject([{ entryIds: [one, four], description: '2026-11-01 to 2026-11-04' }]);
    expect(await statuses()).toEqual([free, ['invoiced', false], held, free]);
    expect(await read(ana, `/invoices/${id}`)).toMatchObject({ status: 'credited', creditedTotal: '200.00' });
  });

  it('makes an invoice paid of which nothing is due, and tells what is to be refunded', async () => {
    const { id, lineItems } = await sent();
    await given.payment(ana, id, { amount: '35.70' });
    await given.creditNote(ana, id, { lines: [{ lineItemId: lineItems[1].id }] });
    const paid = await read(ana, `/invoices/${id}`);
    expect(paid).toMatchObject({ status: 'paid', amountDue: '0.00', amountToRefund: '0.00', creditedTotal: '107.00' });
    expect(paid.paidAt).toBe(paid.updatedAt);
    await given.creditNote(ana, id, { lines: [{ lineItemId: lineItems[0].id, quantity: '1' }] });
    expect(await read(ana, `/invoices/${id}`)).toMatchObject({
      status: 'paid',
      amountToRefund: '11.90',
      paidAt: paid.paidAt,
    });
  });

  it('refuses the line of another invoice, and an entry of another line', async () => {
    const { id: clientId } = await given.client(ana);
    const entries = [await given.entry(ana, { clientId, rate: 60 }), await given.entry(ana, { clientId, rate: 60 })];
    const [one, other] = entries.map((entry) => entry.id);
    const { id, lineItems } = await sent({ clientId, lineItems: [{ entryIds: [one] }, { entryIds: [other] }] });
    const { id: lineItemId } = lineItems[0];
    const foreign = (await sent()).lineItems[0].id;
    const bea = await given.user();
    const ofBea = (await given.sentInvoice(bea)).lineItems[0].id;
    const credit = (line: object) => ana.post(`/invoices/${id}/credit-notes`, { reason: 'x', lines: [line] });
    for (const each of [foreign, ofBea]) {
      const refused = await credit({ lineItemId: each });
      expect(refused).toMatchObject(fault('lines.0.lineItemId', 'reference_not_found'));
    }
    const refused = await credit({ lineItemId, entryIds: [one, other] });
    expect(refused).toMatchObject(fault('lines.0.entryIds.1', 'reference_not_found'));
    expect((await ana.get('/credit-notes', { invoiceId: id })).body.data).toEqual([]);
  });

  it('refuses a credit older than its invoice, and is by default not older', async () => {
    const [before, issueDate] = [29, 30].map((days) => plusDays(new Date().toISOString().slice(0, 10), days));
    const { id } = await sent({ issueDate, dueDate: null });
    const old = await ana.post(`/invoices/${id}/credit-notes`, { reason: 'x', issueDate: before });
    expect(old).toMatchObject(fault('issueDate', 'invalid_credit_date'));
    expect((await given.creditNote(ana, id)).issueDate).toBe(issueDate);
  });

  it.each([
    [{ reason: 'x', lines: [{ lineItemId: randomUUID(), entryIds: [] }] }, 'lines.0.entryIds', 'length'],
    [
      { reason: 'x', lines: [{ lineItemId: randomUUID(), amount: '1', quantity: '1' }] },
      'lines.0.quantity',
      'exclusive',
    ],
  ])('refuses %j', (body, path, code) => {
    expectBodyRefused(createCreditNote, body, path, code);
  });

  it('refuses a line or an entry twice', () => {
    const [lineItemId, entryId] = [randomUUID(), randomUUID()];
    expectBodyRefused(createCreditNote, { reason: 'x', lines: [{ lineItemId }, { lineItemId }] }, 'lines', 'unique');
    const twice = { reason: 'x', lines: [{ lineItemId, entryIds: [entryId, entryId] }] };
    expectBodyRefused(createCreditNote, twice, 'lines.0.entryIds', 'unique');
  });
});

describe('POST /invoices/{id}/refunds', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('is kept among the payments, counts against what was paid, and can be taken back', async () => {
    const { id, total } = await given.sentInvoice(ana, { lineItems: LINES });
    await ana.post(`/invoices/${id}/pay`);
    await given.creditNote(ana, id);
    expect(await read(ana, `/invoices/${id}`)).toMatchObject({ status: 'credited', amountToRefund: total });
    const reply = await ana.post(`/invoices/${id}/refunds`, { amount: '42.70', reference: 'R-1' });
    expect(reply).toMatchObject({ status: 201, body: { data: { kind: 'refund', amount: '42.70', reference: 'R-1' } } });
    const { data } = (await ana.get(`/invoices/${id}/payments`)).body;
    expect(data).toMatchObject([reply.body.data, { kind: 'payment', amount: total }]);
    expect(await read(ana, `/invoices/${id}`)).toMatchObject({ amountPaid: '100.00', amountToRefund: '100.00' });
    expect(await ana.post(`/invoices/${id}/refunds`, { amount: '100.01' })).toMatchObject(
      fault('amount', 'refund_exceeds_credit'),
    );
    const refunded = await ana.delete(`/invoices/${id}/payments/${data[1].id}`);
    expect(refunded).toMatchObject({ status: 409, body: { code: 'payment_refunded' } });
    await ana.delete(`/invoices/${id}/payments/${data[0].id}`);
    expect(await read(ana, `/invoices/${id}`)).toMatchObject({ status: 'credited', amountToRefund: total });
    expect((await ana.delete(`/invoices/${id}/payments/${data[1].id}`)).status).toBe(200);
    expect(await read(ana, `/invoices/${id}`)).toMatchObject({
      status: 'credited',
      amountPaid: '0.00',
      amountDue: '0.00',
    });
  });

  it('never comes to more than is to be refunded, beside credits, payments and voids', async () => {
    const { id, lineItems } = await given.sentInvoice(ana, { lineItems: LINES });
    await given.payment(ana, id, { amount: '100.00' });
    const lines = [{ lineItemId: lineItems[1].id, amount: '10.00' }];
    const path = `/invoices/${id}`;
    const moves = [
      () => ana.post(`${path}/credit-notes`, { reason: 'x', lines }),
      () => ana.post(`${path}/payments`, { amount: '10.00' }),
      () => ana.post(`${path}/refunds`, { amount: '7.00' }),
      () => ana.post(`${path}/void`),
    ];
    await Promise.all(Array.from({ length: 24 }, (_, index) => moves[index % moves.length]?.()));
    const invoice = await read(ana, path);
    const cents = (amount: string) => Math.round(100 * Number(amount));
    const { data: payments } = (await ana.get(`${path}/payments`, { limit: 100 })).body;
    const { data: credits } = (await ana.get('/credit-notes', { invoiceId: id })).body;
    const signed = payments.map(({ kind, amount }: Json) => (kind === 'refund' ? -cents(amount) : cents(amount)));
    const paid = signed.reduce((sum: number, each: number) => sum + each, 0);
    const credited = credits.reduce((sum: number, { total }: Json) => sum + cents(total), 0);
    expect([cents(invoice.amountPaid), cents(invoice.creditedTotal)]).toEqual([paid, credited]);
    const open = cents(invoice.total) - paid - credited;
    expect([cents(invoice.amountDue), cents(invoice.amountToRefund)]).toEqual([Math.max(0, open), Math.max(0, -open)]);
    expect(invoice.status).toBe(open > 0 ? 'sent' : 'paid');
  });
});

describe('GET /credit-notes', () => {
  let ana: User;
  const made: Json[] = [];

  /** By their positions, totals and texts are in orders of their own. */
  const QUANTITIES = ['2', '1', '3'];

  beforeAll(async () => {
    ana = await given.user();
    for (const [position, name] of ['Northwind', 'Globex', 'Northwind'].entries()) {
      const { id: clientId } = await given.client(ana, { name });
      const lineItems = [{ name: 'Hosting', quantity: QUANTITIES[position], price: '10.00', taxRate: '19' }];
      const { id } = await given.sentInvoice(ana, { clientId, issueDate: '2026-11-01', lineItems });
      made.unshift(
        await given.creditNote(ana, id, { reason: `Reason ${position}`, issueDate: `2026-12-0${3 - position}` }),
      );
    }
  });

  const numbersOf = (nodes: readonly Json[]) => nodes.map(({ number }) => number);

  it('finds them by client, invoice, day and text, by offset and by cursor in every order', async () => {
    const numbers = async (query: Record<string, string>) => {
      const newestFirst = numbersOf((await ana.get('/credit-notes', query)).body.data);
      for (const orderBy of ['createdAt', 'issueDate', 'number', 'total']) {
        const { edges, totalCount } = (await ana.get('/credit-notes', { ...query, pagination: 'cursor', orderBy }))
          .body;
        const found = numbersOf(edges.map(({ node }: Json) => node));
        expect([found.toSorted().toReversed(), totalCount]).toEqual([newestFirst, newestFirst.length]);
      }
      return newestFirst;
    };
    expect(await numbers({ clientId: made[1]?.clientId })).toEqual(['CN-000002']);
    expect(await numbers({ invoiceId: made[0]?.invoiceId })).toEqual(['CN-000003']);
    expect(await numbers({ issueFrom: '2026-12-02', issueTo: '2026-12-02' })).toEqual(['CN-000002']);
    expect(await numbers({ issueFrom: '2026-12-02' })).toEqual(['CN-000002', 'CN-000001']);
    expect(await numbers({ issueTo: '2026-12-02', q: 'reason' })).toEqual(['CN-000003', 'CN-000002']);
    expect(await numbers({ q: 'northw' })).toEqual(['CN-000003', 'CN-000001']);
    expect(await numbers({ q: 'REASON 1' })).toEqual(['CN-000002']);
    expect(await numbers({ q: 'inv-000001' })).toEqual(['CN-000001']);
    expect((await ana.get('/credit-notes', { issueFrom: '2026-12-02', issueTo: '2026-12-01' })).status).toBe(400);
  });

  it.each(['createdAt', 'issueDate'])(
    'binds a cursor in the order of %s to all that was asked for',
    async (orderBy) => {
      const wanted = { pagination: 'cursor', orderBy, first: '1', issueFrom: '2026-12-01' };
      const { endCursor } = (await ana.get('/credit-notes', wanted)).body.pageInfo;
      const next = async (others: Record<string, string>) =>
        (await ana.get('/credit-notes', { ...wanted, after: endCursor, ...others })).status;
      expect(await next({})).toBe(200);
      const { clientId, invoiceId } = made[0] ?? {};
      const others = { issueFrom: '2026-12-02', issueTo: '2026-12-31', clientId, invoiceId, q: 'reason' };
      for (const [name, value] of Object.entries(others)) expect(await next({ [name]: value })).toBe(422);
    },
  );

  it.each([
    ['issueDate', ['CN-000003', 'CN-000002', 'CN-000001']],
    ['number', ['CN-000001', 'CN-000002', 'CN-000003']],
    ['createdAt', ['CN-000001', 'CN-000002', 'CN-000003']],
    ['total', ['CN-000002', 'CN-000001', 'CN-000003']],
  ])('orders them by %s', async (orderBy, expected) => {
    const query = { pagination: 'cursor', first: '2', orderBy, orderDirection: 'asc' };
    const { body: first } = await ana.get('/credit-notes', query);
    const { body: rest } = await ana.get('/credit-notes', { ...query, after: first.pageInfo.endCursor });
    expect([...first.edges, ...rest.edges].map(({ node }: Json) => node.number)).toEqual(expected);
    expect(first.totalCount).toBe(3);
  });
});
