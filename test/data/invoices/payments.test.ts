import { v7 as uuidV7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readPayment, readPayments, removePayment, savePayment } from '#shared/data/invoices/payments.ts';
import { database } from '#shared/data/table/database.ts';
import { payRest, recordPayment, takePaymentBack } from '#shared/domain/invoices/payments.ts';
import { formatMinor, parseMinor } from '#shared/domain/money.ts';
import { given, type User } from '#test/support/given.ts';

/** Payments of which an answer gets lost or a request dies: the invoice and its payments never disagree. */

type Command = Parameters<typeof database.send>[0];
type Failing = (command: Command, send: (command: Command) => Promise<unknown>) => Promise<unknown>;

const died = new Error('The request has died.');

/** What happens to a transaction. */
const FAILURES: Readonly<Record<string, Failing>> = {
  'dies before it is written': async () => {
    throw died;
  },
  'dies behind it': async (command, send) => {
    await send(command);
    throw died;
  },
  'loses its answer': async (command, send) => {
    await send(command);
    throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' });
  },
};

const DRAFT = { date: '2026-11-20', amount: '10.00', method: null, reference: null };

describe('a payment', () => {
  let ana: User;
  let invoiceId: string;
  const now = new Date('2026-11-20T12:00:00.000Z');

  beforeEach(async () => {
    ana = await given.user();
    invoiceId = (await given.sentInvoice(ana)).id;
  });

  afterEach(() => vi.restoreAllMocks());

  const stored = () => readInvoice(ana.organization.id, invoiceId);

  async function record(): Promise<string> {
    const invoice = await stored();
    const recorded = recordPayment(invoice, DRAFT, uuidV7(), now);
    await savePayment(invoice, recorded, []);
    return recorded.payment.id;
  }

  const steps: Readonly<Record<string, (paymentId: string) => Promise<unknown>>> = {
    recorded: record,
    'of the rest': async () => {
      const invoice = await stored();
      await savePayment(invoice, payRest(invoice, DRAFT.date, uuidV7(), now), []);
    },
    'taken back': async (paymentId) => {
      const invoice = await stored();
      const payment = await readPayment(invoice, paymentId);
      await removePayment(invoice, takePaymentBack(invoice, payment, now), paymentId);
    },
  };

  /** Lets the first transaction fail. */
  function failOnce(failure: Failing): void {
    const send = database.send.bind(database);
    let isOver = false;
    vi.spyOn(database, 'send').mockImplementation((command: Command) => {
      if (isOver || command.constructor.name !== 'TransactWriteCommand') return send(command);
      isOver = true;
      return failure(command, send);
    });
  }

  const cases = Object.keys(steps).flatMap((step) => Object.keys(FAILURES).map((failure) => [step, failure] as const));

  it.each(cases)(
    '%s of which the request %s is there once or not at all, as the invoice says',
    async (step, failure) => {
      const first = await record();
      failOnce(FAILURES[failure] ?? (() => Promise.resolve()));
      const outcome = await steps[step]?.(first).then(
        () => 'done',
        () => 'died',
      );
      vi.restoreAllMocks();
      expect(outcome).toBe(failure === 'loses its answer' ? 'done' : 'died');
      const after = await stored();
      const payments = await readPayments(after);
      const sum = payments.reduce((all, { amount }) => all + parseMinor(amount), 0n);
      expect(after.amountPaid).toBe(formatMinor(sum, 'USD'));
      const isWritten = failure !== 'dies before it is written';
      const written = step === 'taken back' ? 0 : 2;
      expect([after.paymentCount, payments.length]).toEqual(isWritten ? [written, written] : [1, 1]);
    },
  );
});
