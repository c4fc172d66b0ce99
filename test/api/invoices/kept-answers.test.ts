import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPayment } from '#shared/contract/invoices/create-payment.ts';
import { payInvoice } from '#shared/contract/invoices/pay-invoice.ts';
import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { invokeWith } from '#test/support/invoke.ts';

/** Steps of a long invoice write little to keep their answers: the lines are there already. */

const LINES = 600;
const LETTERS = 500;

/** The lines of this invoice take some 100 units. */
const MOST_WRITE_UNITS = 25;

describe('the answers that are kept of an invoice whose lines are long', () => {
  it('cost little, and are the same when the invoice has gone on', async () => {
    const ana = await given.user();
    const { id } = await given.invoice(ana, { lineItems: Array.from({ length: LINES }, longLine) });
    const steps = [sendInvoice, createPayment, payInvoice].map((endpoint) => ({
      endpoint,
      body: endpoint === createPayment ? { amount: '1.00' } : {},
      headers: { 'idempotency-key': randomUUID() },
    }));
    const taken = [];
    for (const { endpoint, ...sending } of steps) {
      let reply: Awaited<ReturnType<typeof invokeWith>> | undefined;
      const { writeUnits } = await costOf(async () => {
        reply = await invokeWith(endpoint, `Bearer ${ana.apiKey}`, { params: { id }, ...sending });
      });
      expect(reply?.status, endpoint.operationId).toBeLessThan(300);
      expect(writeUnits, endpoint.operationId).toBeLessThan(MOST_WRITE_UNITS);
      taken.push({ reply, again: () => invokeWith(endpoint, `Bearer ${ana.apiKey}`, { params: { id }, ...sending }) });
    }
    for (const { reply, again } of taken) {
      const repeated = await again();
      expect(repeated.headers.get('idempotency-replayed')).toBe('true');
      expect(repeated.headers.get('etag')).toBe(reply?.headers.get('etag'));
      expect(repeated.body).toEqual(reply?.body);
    }
  });
});

const WORDS = Array.from({ length: 1_000 }, () => Math.random().toString(36).slice(2, 10));

/** A text of its own, which packing makes little smaller than half. */
function longLine() {
  const words = Array.from({ length: LETTERS / 9 }, () => WORDS[Math.floor(Math.random() * WORDS.length)]);
  return { name: 'Work', description: words.join(' '), price: '1.00' };
}
