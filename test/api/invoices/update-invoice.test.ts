import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateInvoice } from '#shared/contract/invoices/update-invoice.ts';
import { allOf, readStructure } from '#test/pdf/read-structure.ts';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

const ENTRIES = '/v1/work/tracker/entries';

describe('PATCH /invoices/{id}', () => {
  let ana: User;
  let client: Json;
  let project: Json;

  beforeAll(async () => {
    ana = await given.user();
    client = await given.client(ana);
    project = await given.project(ana, { clientId: client.id, rate: 100 });
  });

  const change = async (id: string, body: Json, by = ana) => {
    const reply = await by.patch(`/invoices/${id}`, body);
    if (reply.status === 200) expect((await by.get(`/invoices/${id}`)).body.data).toEqual(reply.body.data);
    return reply;
  };

  const changed = async (id: string, body: Json) => (await change(id, body)).body.data;

  /** A draft of so many entries, an hour each, with a line for each. */
  const timed = async (entries: number) => {
    const made: Json[] = [];
    for (let i = 0; i < entries; i++) made.push(await given.entry(ana, { projectId: project.id }));
    const lineItems = made.map(({ id }) => ({ entryIds: [id] }));
    return { entries: made, invoice: await given.invoice(ana, { clientId: client.id, lineItems }) };
  };

  const statuses = (entries: readonly Json[]) =>
    Promise.all(entries.map(async ({ id }) => (await ana.get(`${ENTRIES}/${id}`)).body.data.billingStatus));

  it('changes what is sent, clears with null, and leaves the rest', async () => {
    const terms = { issueDate: '2026-11-20', notes: 'Thanks', purchaseOrder: 'PO-4711', locale: 'de' };
    const invoice = await given.invoice(ana, { clientId: client.id, ...terms });
    const due = await changed(invoice.id, { dueDate: '2026-12-04' });
    expect(due).toEqual({ ...invoice, dueDate: '2026-12-04', updatedAt: due.updatedAt });
    expect(due.updatedAt > invoice.updatedAt).toBe(true);
    const others = { dueDate: null, notes: null, purchaseOrder: null, locale: null, issueDate: '2026-12-24' };
    expect(await changed(invoice.id, others)).toMatchObject({ ...others, total: invoice.total });
  });

  it('changes the paymentUrl alone of a sent invoice, and of none that is not to be paid', async () => {
    const paymentUrl = 'https://pay.example/1';
    const draft = await given.invoice(ana, { clientId: client.id, paymentUrl });
    expect(draft.paymentUrl).toBe(paymentUrl);
    const sent = (await ana.post(`/invoices/${draft.id}/send`)).body.data;
    const other = await changed(draft.id, { paymentUrl: 'https://pay.example/2' });
    expect(other).toEqual({ ...sent, paymentUrl: 'https://pay.example/2', updatedAt: other.updatedAt });
    expect(other.updatedAt > sent.updatedAt).toBe(true);
    const lines = [{ name: 'Fee', price: '1' }, { productId: randomUUID() }].map((line) => ({ lineItems: [line] }));
    for (const more of [{ notes: 'x' }, ...lines]) {
      const { status, body } = await change(draft.id, { paymentUrl, ...more });
      expect([status, body.code]).toEqual([409, 'invoice_state_forbids']);
    }
    const both = { paymentUrl: 'https://pay.example/3', externalId: 'order 3' };
    expect(await changed(draft.id, both)).toMatchObject(both);
    const drawnLink = async () => {
      const { root } = await readStructure((await ana.get(`/invoices/${draft.id}/pdf`)).body);
      return allOf(root, 'Link')[0]?.link?.url;
    };
    expect(await drawnLink()).toBe(both.paymentUrl);
    await ana.post(`/invoices/${draft.id}/payments`, { amount: '1.00' });
    expect(await drawnLink()).toBe(both.paymentUrl);
    expect(await changed(draft.id, { paymentUrl: null })).toMatchObject({ paymentUrl: null, status: 'sent' });
    await changed(draft.id, { paymentUrl });
    await ana.post(`/invoices/${draft.id}/pay`);
    expect(await drawnLink()).toBeUndefined();
    const late = await change(draft.id, { paymentUrl });
    expect([late.status, late.body.code]).toEqual([409, 'invoice_state_forbids']);
    expect(late.body.detail).toContain('only a draft or sent invoice');
  });

  it.each([
    'http://pay.example/1',
    'javascript:alert(1)',
    'https:///pay',
    'https://pay .example',
    'https://bank.example@pay.example',
    'https://@pay.example',
    'https://bank.example\\@pay.example',
    'https://pay.example:port/',
    '\thttps://pay.example',
  ])('refuses %j as paymentUrl', (paymentUrl) => {
    expectBodyRefused(updateInvoice, { paymentUrl }, 'paymentUrl', 'url');
  });

  it('takes a paymentUrl as it is', async () => {
    const { id } = await given.invoice(ana, { clientId: client.id });
    for (const paymentUrl of ['HTTPS://pay.example/', 'https://büro.example:8443?a=b@c#d']) {
      expect(await changed(id, { paymentUrl })).toMatchObject({ paymentUrl });
    }
  });

  it('replaces all lines, with new totals, and counts each copy of a product, also of what a line has', async () => {
    const product = await given.product(ana);
    const invoice = await given.invoice(ana, { clientId: client.id, lineItems: [{ productId: product.id }] });
    const lineItems = [
      { productId: product.id, quantity: '2', taxRate: '10' },
      { name: 'Fee', price: '1.005' },
    ];
    expect(await changed(invoice.id, { lineItems })).toMatchObject({
      lineItems: [
        { productId: product.id, quantity: '2', amount: '240.00' },
        { productId: null, name: 'Fee', amount: '1.01' },
      ],
      subtotal: '241.01',
      taxTotal: '24.00',
      total: '265.01',
    });
    const usageCount = async () => (await ana.get(`/products/${product.id}`)).body.data.usageCount;
    expect(await usageCount()).toBe(2);
    const copied = { lineItems: [{ productId: product.id }] };
    for (let copies = 3; copies < 5; copies++) {
      await changed(invoice.id, copied);
      expect(await usageCount()).toBe(copies);
    }
  });

  it('takes lines as they were answered, also of products and clients that are gone, and counts no product again', async () => {
    const [gone, staying] = [await given.product(ana), await given.product(ana)];
    const entry = await given.entry(ana, { projectId: project.id });
    const leaving = await given.client(ana);
    const moved = await given.entry(ana, { clientId: leaving.id, rate: 10 });
    const invoice = await given.invoice(ana, {
      clientId: client.id,
      lineItems: [{ productId: gone.id }, { productId: staying.id }, { entryIds: [entry.id] }],
    });
    const other = await given.invoice(ana, { clientId: leaving.id, lineItems: [{ entryIds: [moved.id] }] });
    await ana.delete(`/products/${gone.id}`);
    await ana.delete(`/clients/${leaving.id}`);
    for (const { id, lineItems, total } of [invoice, other]) {
      const withoutIds = (lines: readonly Json[]) => lines.map((line) => ({ ...line, id: undefined }));
      const again = await changed(id, { lineItems });
      expect(withoutIds(again.lineItems)).toEqual(withoutIds(lineItems));
      expect(again.total).toBe(total);
    }
    expect((await ana.get(`/products/${staying.id}`)).body.data.usageCount).toBe(1);
    expect(await statuses([entry, moved])).toEqual(['invoiced', 'invoiced']);
  });

  it('leaves an event of each change, and neither that nor a change where nothing differs or it is refused', async () => {
    const { entries, invoice } = await timed(2);
    const after = await presentEnd(ana);
    await changed(invoice.id, { notes: 'Thanks' });
    const lineItems = [...invoice.lineItems, { name: 'Fee', price: '5' }];
    const present = await changed(invoice.id, { lineItems });
    const { notes, dueDate, discountPercent } = present;
    const named = [...entries.map(({ id }) => ({ entryIds: [id] })), { name: 'Fee', price: '5', productId: null }];
    const same = { lineItems: present.lineItems };
    for (const body of [{}, { notes, dueDate, discountPercent }, same, { notes, ...same }, { lineItems: named }]) {
      expect(await changed(invoice.id, body)).toEqual(present);
    }
    expect((await change(invoice.id, { lineItems: [{ productId: randomUUID() }] })).status).toBe(400);
    const updated = ['invoice.updated', { type: 'invoice', id: invoice.id }];
    expect(await happenedSince(ana, after)).toEqual([updated, updated]);
  });

  it('ends with the lines of one of many requests, and exactly their entries invoiced', async () => {
    const { entries, invoice } = await timed(6);
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        ana.patch(`/invoices/${invoice.id}`, {
          notes: `${i}`,
          lineItems: entries.filter((_, j) => (i + j) % 3 > 0).map(({ id }) => ({ entryIds: [id] })),
        }),
      ),
    );
    for (const { status } of replies) expect(status).toBe(200);
    const { lineItems } = (await ana.get(`/invoices/${invoice.id}`)).body.data;
    const billed = new Set(lineItems.flatMap(({ entryIds }: Json) => entryIds));
    expect(billed.size).toBe(4);
    expect(await statuses(entries)).toEqual(entries.map(({ id }) => (billed.has(id) ? 'invoiced' : 'unbilled')));
    await ana.delete(`/invoices/${invoice.id}`);
  });

  it('answers 400 to what breaks a rule, and changes nothing', async () => {
    const { entries, invoice } = await timed(1);
    const eve = await given.user();
    const foreign = await given.entry(eve, { rate: 1 });
    const euro = await given.product(ana, { currency: 'EUR' });
    const free = await given.entry(ana, { projectId: project.id, billable: false });
    const refusals: readonly (readonly [Json, string])[] = [
      [{ lineItems: [{ productId: euro.id }] }, 'currency_mismatch'],
      [{ lineItems: [{ entryIds: [foreign.id] }] }, 'reference_not_found'],
      [{ lineItems: [{ entryIds: [free.id] }] }, 'entry_not_billable'],
      [{ lineItems: [{ entryIds: [entries[0].id], quantity: '2' }] }, 'tracked_time_fixed'],
      [{ lineItems: [{ name: 'Bridge', price: '999999999999', quantity: '1001' }] }, 'invoice_total_too_large'],
    ];
    for (const [body, code] of refusals) {
      expect(await change(invoice.id, body)).toMatchObject({ status: 400, body: { code } });
    }
    const other = await timed(1);
    const taken = await change(invoice.id, { lineItems: [{ entryIds: [other.entries[0].id] }] });
    expect(taken).toMatchObject({ status: 409, body: { code: 'entry_invoiced' } });
    expect((await ana.get(`/invoices/${invoice.id}`)).body.data).toEqual(invoice);
    expect(await statuses(entries)).toEqual(['invoiced']);
  });
});
