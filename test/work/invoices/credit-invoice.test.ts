import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { createPayment } from '#shared/contract/invoices/create-payment.ts';
import { voidInvoice } from '#shared/contract/invoices/void-invoice.ts';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls, beforeTransaction } from '#test/support/interleaving.ts';
import { invokeWith } from '#test/support/invoke.ts';

/** That credits of an invoice agree with it and with its entries, whatever dies on the way and whoever comes at once. */

const ENTRIES = 6;

/** Too long to lie with the head of the invoice. */
const LONG_LINES = Array.from({ length: 30 }, (_, index) => ({
  name: `Line ${index}`,
  description: 'x'.repeat(400),
  price: '9.99',
  taxRate: '19',
}));

interface Scene {
  readonly by: User;
  readonly invoice: Json;
  /** Of tracked time. */
  readonly timeLine: Json;
}

async function scene(lineItems: readonly object[] = LONG_LINES): Promise<Scene> {
  const by = await given.user({ currency: 'EUR' });
  const { id: clientId } = await given.client(by);
  const entryIds: string[] = [];
  for (let minutes = 7; entryIds.length < ENTRIES; minutes += 10) {
    entryIds.push((await given.entry(by, { clientId, rate: 33.33, durationMinutes: minutes })).id);
  }
  const lines = [{ entryIds, taxRate: '7' }, ...lineItems];
  const invoice = await given.sentInvoice(by, { clientId, discountPercent: '3', lineItems: lines });
  return { by, invoice, timeLine: invoice.lineItems[0] };
}

const cents = (amount: string): number => Math.round(100 * Number(amount));

const sum = (amounts: readonly string[]): number => amounts.reduce((all, amount) => all + cents(amount), 0);

/**
 * The credit notes come to what the invoice says, exceed no line, have numbers without gaps, and their entries alone are
 * unbilled.
 *
 * @returns how many credit notes there are
 */
async function assertAgreement({ by, invoice, timeLine }: Scene): Promise<number> {
  const read = async (path: string): Promise<Json> => (await by.get(path)).body.data;
  const listed: Json[] = (await by.get('/credit-notes', { limit: 100 })).body.data;
  const credits: Json[] = await Promise.all(listed.map(({ id }) => read(`/credit-notes/${id}`)));
  const present = await read(`/invoices/${invoice.id}`);
  expect(cents(present.creditedTotal)).toBe(sum(credits.map(({ total }) => total)));
  const numbers = credits.map(({ number }) => Number(number.slice(3))).sort((one, other) => one - other);
  expect(numbers).toEqual(credits.map((_, index) => index + 1));
  const lines: Json[] = credits.flatMap(({ lineItems }) => lineItems);
  for (const { id, amount } of invoice.lineItems) {
    const ofLine = lines.filter(({ lineItemId }) => lineItemId === id).map((line) => line.amount);
    expect(sum(ofLine)).toBeLessThanOrEqual(cents(amount));
  }
  const credited = lines.flatMap(({ entryIds }) => entryIds);
  expect(new Set(credited).size).toBe(credited.length);
  const entries: Json[] = await Promise.all(
    timeLine.entryIds.map((id: string) => read(`/v1/work/tracker/entries/${id}`)),
  );
  const unbilled = entries.filter(({ billingStatus }) => billingStatus === 'unbilled').map(({ id }) => id);
  expect(unbilled.sort()).toEqual(credited.sort());
  return credits.length;
}

/** Nothing is left, to the cent. */
async function assertWhole({ by, invoice }: Scene): Promise<void> {
  const present = (await by.get(`/invoices/${invoice.id}`)).body.data;
  expect(present).toMatchObject({ status: 'credited', creditedTotal: invoice.total });
}

describe('credits that come at once', () => {
  it('never credit an entry twice, by their entries or whole', async () => {
    const place = await scene([{ name: 'Setup', price: '100', taxRate: '19' }]);
    const { by, invoice, timeLine } = place;
    const [, { id: setup }] = invoice.lineItems;
    const wishes = Array.from({ length: 20 }, (_, index) => {
      if (index === 13) return {};
      const from = index % (ENTRIES - 1);
      const time = { lineItemId: timeLine.id, entryIds: timeLine.entryIds.slice(from, from + 2) };
      return { lines: index % 2 ? [time] : [time, { lineItemId: setup, amount: '7.77' }] };
    });
    const replies = await Promise.all(
      wishes.map((wish) => by.post(`/invoices/${invoice.id}/credit-notes`, { reason: 'x', ...wish })),
    );
    const codes = new Set(replies.map(({ status, body }) => (status === 201 ? 'made' : body.code)));
    const known = ['made', 'credit_exceeds_line', 'invoice_state_forbids', 'temporarily_unavailable'];
    expect([...codes].filter((code) => !known.includes(code))).toEqual([]);
    expect(await assertAgreement(place)).toBe(replies.filter(({ status }) => status === 201).length);
    await by.post(`/invoices/${invoice.id}/credit-notes`, { reason: 'y' });
    await assertAgreement(place);
    await assertWhole(place);
  });
});

describe('a credit that meets another step at its worst moment', () => {
  let place: Scene;

  beforeEach(async () => {
    place = await scene([]);
  });

  const credit = () => step(createCreditNote, { reason: 'x' });
  const annul = () => step(voidInvoice);
  const pay = () => step(createPayment, { amount: '1.00' });

  function step(
    endpoint: typeof createCreditNote | typeof voidInvoice | typeof createPayment,
    body?: object,
  ): Promise<Reply> {
    const { by, invoice } = place;
    return invokeWith(endpoint, `Bearer ${by.apiKey}`, { params: { id: invoice.id }, body });
  }

  /** One step happens between all that the other one reads and its transaction. */
  async function meeting(one: () => Promise<Reply>, other: () => Promise<Reply>): Promise<Reply[]> {
    let met: Reply | undefined;
    beforeTransaction(async () => {
      met = await other();
    });
    const last = await one();
    vi.restoreAllMocks();
    return [...(met ? [met] : []), last];
  }

  it('finds an entry credited that was let go and removed before it is read', async () => {
    const { by, invoice, timeLine } = place;
    const [entryId] = timeLine.entryIds;
    const lines = [{ lineItemId: timeLine.id, entryIds: [entryId] }];
    const letGo = async () => {
      await given.creditNote(by, invoice.id, { lines });
      expect((await by.delete(`/v1/work/tracker/entries/${entryId}`)).status).toBe(200);
    };
    beforeCalls((command) => command instanceof BatchGetCommand, [letGo]);
    const refused = await step(createCreditNote, { reason: 'x', lines });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'credit_exceeds_line', errors: [{ path: 'lines.0.entryIds.0' }] },
    });
    expect((await by.get('/credit-notes')).body.meta.total).toBe(1);
  });

  it.each([
    ['finds the invoice void, and credits nothing', credit, annul, 200, 'invoice_state_forbids', 'void', 0],
    ['keeps the invoice from being void', annul, credit, 201, 'invoice_has_credit_notes', 'credited', 1],
    ['keeps the invoice from being paid', pay, credit, 201, 'invoice_state_forbids', 'credited', 1],
  ])('%s', async (_, late, early, made, code, status, credits) => {
    const [done, refused] = await meeting(late, early);
    expect([done?.status, refused?.status, refused?.body.code]).toEqual([made, 409, code]);
    expect((await place.by.get('/credit-notes')).body.meta.total).toBe(credits);
    if (credits > 0) await assertAgreement(place);
    const { data } = (await place.by.get(`/invoices/${place.invoice.id}`)).body;
    expect([data.status, cents(data.creditedTotal)]).toEqual([status, credits * cents(data.total)]);
  });

  it('counts a payment that came before it as one to refund', async () => {
    const [paid, credited] = await meeting(credit, pay);
    expect([paid?.status, credited?.status]).toEqual([201, 201]);
    const { data } = (await place.by.get(`/invoices/${place.invoice.id}`)).body;
    expect(data).toMatchObject({ status: 'credited', amountPaid: '1.00', amountToRefund: '1.00', amountDue: '0.00' });
  });
});
