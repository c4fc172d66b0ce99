import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedProducts } from '#scripts/bench/seed.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
const ENTRIES = '/v1/work/tracker/entries';
const ENTRY_ID = randomUUID();

describe('POST /invoices', () => {
  let ana: User;
  let globex: Json;

  beforeAll(async () => {
    ana = await given.user();
    globex = await given.client(ana, { name: 'Globex', city: 'Berlin', countryCode: 'DE', note: 'Pays late' });
  });

  const total = async (by: User) => (await by.get('/invoices')).body.meta.total;

  /** A client with a project at 100 an hour, so that tests do not bill each other's time. */
  const customer = async (by: User, rate?: number) => {
    const client = await given.client(by);
    const project = await given.project(by, { clientId: client.id, rate });
    return { clientId: client.id, projectId: project.id, name: project.name };
  };

  const billing = (clientId: string, more: Json = {}) => ({
    clientId,
    timeEntries: { ...NOVEMBER, groupBy: 'project', ...more },
  });

  const refusal = async (body: Json, by = ana) => {
    const before = await total(by);
    const reply = await by.post('/invoices', body);
    expect(await total(by)).toBe(before);
    return { status: reply.status, code: reply.body.code, paths: reply.body.errors?.map(({ path }: Json) => path) };
  };

  it('answers the whole draft, with a copy of the client and the defaults of what was left out', async () => {
    const reply = await ana.post('/invoices', {
      clientId: globex.id,
      lineItems: [{ name: 'Hosting', price: '49.90' }],
    });
    expect(reply.status).toBe(201);
    const { id, createdAt } = reply.body.data;
    expect(reply.body.data).toEqual({
      id: expect.any(String),
      number: null,
      status: 'draft',
      clientId: globex.id,
      seller: expect.objectContaining({ name: ana.organization.name }),
      customer: {
        name: 'Globex',
        email: null,
        phone: null,
        website: null,
        contact: null,
        addressLine1: null,
        addressLine2: null,
        city: 'Berlin',
        region: null,
        postalCode: null,
        countryCode: 'DE',
        taxNumber: null,
        vatNumber: null,
        buyerReference: null,
        electronicAddress: null,
        eInvoiceFormat: null,
      },
      currency: 'USD',
      issueDate: createdAt.slice(0, 10),
      dueDate: null,
      purchaseOrder: null,
      locale: null,
      discountPercent: null,
      paymentUrl: null,
      lineItems: [
        {
          id: expect.any(String),
          productId: null,
          entryIds: [],
          name: 'Hosting',
          description: '',
          quantity: '1',
          workedMinutes: null,
          unit: '',
          price: '49.90',
          taxRate: null,
          taxCategory: null,
          taxExemptionReason: null,
          serviceFrom: null,
          serviceTo: null,
          amount: '49.90',
          discount: '0.00',
        },
      ],
      serviceFrom: null,
      serviceTo: null,
      taxRounding: 'line',
      taxes: [],
      discountTotal: '0.00',
      subtotal: '49.90',
      taxTotal: '0.00',
      total: '49.90',
      creditedTotal: '0.00',
      amountPaid: '0.00',
      amountDue: '49.90',
      amountToRefund: '0.00',
      isOverdue: false,
      notes: null,
      externalId: null,
      metadata: {},
      createdAt: expect.any(String),
      updatedAt: createdAt,
      sentAt: null,
      paidAt: null,
      voidedAt: null,
    });
    expect((await ana.get(`/invoices/${id}`)).body.data).toEqual(reply.body.data);
  });

  it('is in the currency of the client, with its digits', async () => {
    const { id: clientId } = await given.client(ana, { currency: 'BHD' });
    expect(await given.invoice(ana, { clientId })).toMatchObject({ currency: 'BHD', total: '49.900' });
  });

  it('copies products, counts each line that does, and keeps the copies when they change or go', async () => {
    const product = await given.product(ana);
    const invoice = await given.invoice(ana, {
      clientId: globex.id,
      lineItems: [{ productId: product.id }, { productId: product.id.toUpperCase(), quantity: '2', price: '100' }],
    });
    expect(invoice.total).toBe('320.00');
    expect((await ana.get(`/products/${product.id}`)).body.data.usageCount).toBe(2);
    await ana.patch(`/products/${product.id}`, { name: 'Other', price: '1' });
    await ana.delete(`/products/${product.id}`);
    expect((await ana.get(`/invoices/${invoice.id}`)).body.data).toEqual(invoice);
  });

  it('counts every line when twenty invoices copy a product that is changed at the same time', async () => {
    const product = await given.product(ana);
    const lineItems = [{ productId: product.id }];
    await Promise.all([
      ...Array.from({ length: 20 }, () => given.invoice(ana, { clientId: globex.id, lineItems })),
      ...Array.from({ length: 5 }, (_, i) => ana.patch(`/products/${product.id}`, { sku: `${i}` })),
    ]);
    expect((await ana.get(`/products/${product.id}`)).body.data).toMatchObject({
      usageCount: 20,
      sku: expect.any(String),
    });
  });

  it('bills the unbilled billable time of the client in these days, and nothing else', async () => {
    const { clientId, projectId, name } = await customer(ana, 100);
    const other = await customer(ana, 100);
    const billed = [
      await given.entry(ana, { projectId, entryDate: '2026-11-01', durationMinutes: 50 }),
      await given.entry(ana, { projectId, entryDate: '2026-11-30', durationMinutes: 30 }),
      await given.entry(ana, { projectId, rate: 80 }),
      await given.entry(ana, { clientId, rate: 0 }),
    ];
    const left = [
      await given.entry(ana, { projectId, entryDate: '2026-10-31' }),
      await given.entry(ana, { projectId, entryDate: '2026-12-01' }),
      await given.entry(ana, { projectId, billable: false }),
      await given.entry(ana, { projectId, currency: 'EUR', rate: 90 }),
      await given.entry(ana, { clientId }),
      await given.entry(ana, { projectId: other.projectId }),
    ];
    const invoice = await given.invoice(ana, {
      ...billing(clientId, { taxRate: '10' }),
      lineItems: [{ name: 'Fee', price: '5' }],
    });
    expect(invoice.lineItems.map((line: Json) => line.name)).toEqual(['Fee', name, name, 'Tracked time']);
    expect(invoice).toMatchObject({ subtotal: '218.33', taxTotal: '21.33', total: '239.66' });
    const { data } = (await ana.get(ENTRIES, { limit: 200 })).body;
    const statusOf = ({ id }: Json) => data.find((entry: Json) => entry.id === id);
    for (const entry of billed) {
      expect(statusOf(entry)).toEqual({ ...entry, billingStatus: 'invoiced', invoiceId: invoice.id });
      for (const reply of [await ana.patch(`${ENTRIES}/${entry.id}`, {}), await ana.delete(`${ENTRIES}/${entry.id}`)]) {
        expect(reply).toMatchObject({ status: 409, body: { code: 'entry_invoiced' } });
      }
    }
    for (const entry of left) expect(statusOf(entry)).toEqual(entry);
    expect(await refusal(billing(clientId))).toEqual({ status: 400, code: 'invoice_empty', paths: ['timeEntries'] });
    expect(await given.invoice(ana, { ...billing(clientId), currency: 'eur' })).toMatchObject({
      currency: 'EUR',
      total: '90.00',
    });
  });

  it('bills only the project that is named', async () => {
    const { clientId, projectId } = await customer(ana, 100);
    const other = await given.project(ana, { clientId, rate: 50 });
    const { id } = await given.entry(ana, { projectId: other.id });
    await given.entry(ana, { projectId });
    const { lineItems } = await given.invoice(ana, billing(clientId, { projectId: other.id }));
    expect(lineItems).toMatchObject([{ name: other.name, entryIds: [id] }]);
  });

  it('gives entries to exactly one of thirty requests that want them at once', async () => {
    const bea = await given.user();
    const { clientId, projectId } = await customer(bea, 100);
    for (let i = 0; i < 5; i++) await given.entry(bea, { projectId });
    const replies = await Promise.all(Array.from({ length: 30 }, () => bea.post('/invoices', billing(clientId))));
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const { status, body } of replies.filter((reply) => reply !== made[0])) {
      expect([status, body.code]).toEqual([400, 'invoice_empty']);
    }
    expect(made[0]?.body.data.lineItems[0].entryIds).toHaveLength(5);
    expect(await total(bea)).toBe(1);
  });

  it.each([
    ['lineItems', { lineItems: [] }, 'required'],
    ['lineItems', { lineItems: undefined }, 'required'],
    ['lineItems.0.price', { lineItems: [{ name: 'x' }] }, 'required'],
    ['lineItems.0.name', { lineItems: [{ price: '1' }] }, 'required'],
    ['lineItems.0.entryIds', { lineItems: [{ productId: randomUUID(), entryIds: [randomUUID()] }] }, 'exclusive'],
    ['lineItems', { lineItems: [{ entryIds: [ENTRY_ID] }, { entryIds: [ENTRY_ID] }] }, 'unique'],
  ])('refuses a wrong %s: %o', (path, values, code) => {
    expectBodyRefused(createInvoice, { clientId: randomUUID(), ...values }, path, code);
  });

  it("answers 400 to what does not exist or is another organization's", async () => {
    const eve = await given.user();
    const foreign = {
      client: await given.client(eve),
      product: await given.product(eve),
      project: await given.project(eve),
      entry: await given.entry(eve, { rate: 1 }),
    };
    const own = { clientId: globex.id };
    const bodies = (id: (kind: keyof typeof foreign) => string) => [
      { clientId: id('client'), lineItems: [{ name: 'x', price: '1' }] },
      { ...own, lineItems: [{ name: 'x', price: '1' }, { productId: id('product') }] },
      { ...own, lineItems: [{ entryIds: [id('entry')] }] },
      billing(globex.id, { projectId: id('project') }),
    ];
    const paths = ['clientId', 'lineItems.1.productId', 'lineItems.0.entryIds.0', 'timeEntries.projectId'];
    for (const all of [bodies(() => randomUUID()), bodies((kind) => foreign[kind].id)]) {
      for (const [position, body] of all.entries()) {
        expect(await refusal(body)).toEqual({ status: 400, code: 'reference_not_found', paths: [paths[position]] });
      }
    }
    expect((await eve.get(`/products/${foreign.product.id}`)).body.data.usageCount).toBe(0);
    expect((await eve.get(`${ENTRIES}/${foreign.entry.id}`)).body.data.billingStatus).toBe('unbilled');
  });

  it('answers 400 to days of tracked time the wrong way round', async () => {
    expect(await refusal(billing(globex.id, { dateFrom: '2026-12-01' }))).toEqual({
      status: 400,
      code: 'invalid_date_range',
      paths: ['timeEntries.dateFrom'],
    });
  });

  it('bills 10,000 entries at most, which it says before it looks for them', async () => {
    const lines = [5_000, 5_001].map((length) => ({
      name: 'Work',
      entryIds: Array.from({ length }, () => randomUUID()),
    }));
    expect(await refusal({ clientId: globex.id, lineItems: lines })).toMatchObject({ code: 'invoice_too_large' });
  });

  it('copies 80 products at most', async () => {
    await seedProducts({ organizationId: ana.organization.id, userId: ana.userId, products: 81, description: '' });
    const products = (await ana.get('/products', { limit: 81 })).body.data;
    const copies = products.map(({ id }: Json) => ({ productId: id }));
    const refused = await ana.post('/invoices', { clientId: globex.id, lineItems: copies });
    const detail = expect.stringContaining('more than 80 products');
    expect(refused).toMatchObject({ status: 422, body: { code: 'invoice_too_large', detail } });
    expect((await given.invoice(ana, { clientId: globex.id, lineItems: copies.slice(1) })).lineItems).toHaveLength(80);
  });
});
