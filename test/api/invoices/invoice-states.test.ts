import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  INVOICE_STATES,
  INVOICE_STEPS,
  type InvoiceState,
  type InvoiceStep,
  LEGAL_STEPS,
} from '#shared/domain/invoices/steps.ts';
import type { Client, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** Every step in every state, over HTTP: what the table of the domain allows happens, and nothing else does. */

/** Brings a sent invoice into a state. */
const REACH: Readonly<Record<Exclude<InvoiceState, 'draft'>, (by: Client, path: string) => Promise<unknown>>> = {
  sent: async () => undefined,
  part_paid: (by, path) => by.post(`${path}/payments`, { amount: '1.00' }),
  paid: (by, path) => by.post(`${path}/pay`),
  credited: async (by, path) => {
    await by.post(`${path}/payments`, { amount: '1.00' });
    await by.post(`${path}/credit-notes`, { reason: 'Cancelled' });
  },
  void: (by, path) => by.post(`${path}/void`),
};

const TAKE: Readonly<Record<InvoiceStep, (by: Client, path: string) => Promise<Reply>>> = {
  change: (by, path) => by.patch(path, { notes: 'Thanks' }),
  changePaymentUrl: (by, path) => by.patch(path, { paymentUrl: 'https://pay.example/1' }),
  delete: (by, path) => by.delete(path),
  send: (by, path) => by.post(`${path}/send`),
  recordPayment: (by, path) => by.post(`${path}/payments`, { amount: '1.00' }),
  pay: (by, path) => by.post(`${path}/pay`),
  takePaymentBack: async (by, path) => {
    const [payment] = (await by.get(`${path}/payments`)).body.data;
    return by.delete(`${path}/payments/${payment?.id ?? randomUUID()}`);
  },
  refund: (by, path) => by.post(`${path}/refunds`, { amount: '1.00' }),
  credit: (by, path) => by.post(`${path}/credit-notes`, { reason: 'Cancelled' }),
  void: (by, path) => by.post(`${path}/void`),
  makeEInvoice: (by, path) => by.get(`${path}/e-invoice`, { format: 'xrechnung-ubl' }),
  checkEInvoice: (by, path) => by.get(`${path}/e-invoice/check`, { format: 'xrechnung-ubl' }),
};

/** The status after a legal step; undefined if it changes nothing. */
const STATUS_AFTER: Readonly<Record<Exclude<InvoiceStep, 'delete'>, string | undefined>> = {
  refund: 'credited',
  credit: 'credited',
  change: 'draft',
  changePaymentUrl: undefined,
  send: 'sent',
  recordPayment: 'sent',
  pay: 'paid',
  takePaymentBack: 'sent',
  void: 'void',
  makeEInvoice: undefined,
  checkEInvoice: undefined,
};

/** What an illegal step answers. A state without payments has none to take back. */
function refusalOf(state: InvoiceState, step: InvoiceStep): [status: number, code: string] {
  if (step === 'takePaymentBack') return [404, 'not_found'];
  if (step === 'void' && state === 'part_paid') return [409, 'invoice_has_payments'];
  return [409, step === 'void' && state === 'credited' ? 'invoice_has_credit_notes' : 'invoice_state_forbids'];
}

describe('an invoice', () => {
  let ana: User;
  let clientId: string;

  beforeAll(async () => {
    ana = await given.user();
    ({ clientId } = await given.eInvoiceDraft(ana));
  });

  it.each(INVOICE_STATES.flatMap((state) => INVOICE_STEPS.map((step) => [state, step] as const)))(
    'that is %s takes the step %s only if the table says so',
    async (state, step) => {
      const { id } = await (state === 'draft' ? given.eInvoiceDraft : given.eInvoice)(ana, { clientId });
      const path = `/invoices/${id}`;
      if (state !== 'draft') await REACH[state](ana, path);
      const before = (await ana.get(path)).body.data;
      const reply = await TAKE[step](ana, path);
      const after = await ana.get(path);
      if (!LEGAL_STEPS[step].includes(state)) {
        expect([reply.status, reply.body.code]).toEqual(refusalOf(state, step));
        expect(after.body.data).toEqual(before);
      } else if (step === 'refund' && state !== 'credited') {
        expect([reply.status, reply.body.code]).toEqual([400, 'refund_exceeds_credit']);
      } else if (step === 'delete') {
        expect([reply.status, after.status]).toEqual([200, 404]);
      } else {
        expect(reply.status).toBeLessThan(300);
        expect(after.body.data.status).toBe(state === 'credited' ? state : (STATUS_AFTER[step] ?? before.status));
      }
    },
  );
});
