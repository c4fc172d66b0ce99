import type { Json, Reply } from '#test/support/client.ts';
import { Thing } from './thing.ts';

/**
 * What a user does with invoices. Several users bill the time of the same clients, so that they want the same entries
 * at once.
 */

/** The user who bills, as far as it matters here. */
export interface Biller {
  send(operation: string, method: string, path: string, body?: unknown): Promise<Reply>;
  blame(fault: string | undefined): void;
  pick<T>(values: readonly T[]): T;
  newText(kind: string): string;
  /** Ids of its own resources of a kind that may still be there. */
  own(kind: 'client' | 'product'): readonly string[];
  /** Whether a link was refused to what may have been deleted. */
  isDeadLink(reply: Reply, body: Json): boolean;
}

interface Invoice {
  /** By its status, or null where it is not there. */
  readonly status: Thing;
  /** By the name of its first line, which tells which of its changes was the last. */
  readonly lines: Thing;
  /** What it has recorded of payments, by their reference: `there`, or null where it is not there. */
  readonly payments: Map<string, Thing>;
  /** Whether a payment may ever have been recorded, with a reference or without one. */
  mayHavePayments: boolean;
  id: string | undefined;
}

export const INVOICES = '/invoices';

const ENTRIES = '/v1/work/tracker/entries';

/** All work of the users is in it. */
const RANGE = { dateFrom: '2026-10-01', dateTo: '2026-12-31' };

/** A project of the clients that all bill has it. */
const CURRENCIES = ['JPY', 'USD'];

const STATUSES = ['draft', 'sent', 'paid', 'void'];

const STEPS = [
  { step: 'send', prior: 'draft', effect: 'sent' },
  { step: 'send', prior: 'draft', effect: 'sent' },
  { step: 'pay', prior: 'sent', effect: 'paid' },
  { step: 'void', prior: 'sent', effect: 'void' },
  { step: 'void', prior: 'sent', effect: 'void' },
  { step: 'delete', prior: 'draft', effect: null },
] as const;

/** Some are more than what is due of most invoices, and `0.01` is too small for a yen. */
const AMOUNTS = ['1', '5', '10', '22', '0.01', '100000'];

/** What may well be said of a payment of an invoice that others of ours pay, or that is not sent any more. */
const REFUSED_PAYMENTS: ReadonlySet<string> = new Set([
  'invoice_state_forbids',
  'invalid_payment_amount',
  'payment_exceeds_due',
  'too_many_payments',
]);

/** What may well be said of entries that others bill, change or delete at the same moment. */
const CONTENTION: ReadonlySet<string> = new Set([
  'reference_not_found',
  'entry_invoiced',
  'entry_not_billable',
  'invoicing_in_progress',
]);

export class Billing {
  readonly #biller: Biller;
  readonly #clientIds: readonly string[];
  /** By their notes. */
  readonly invoices = new Map<string, Invoice>();

  /** @param clientIds whose time all users bill */
  constructor(biller: Biller, clientIds: readonly string[]) {
    this.#biller = biller;
    this.#clientIds = clientIds;
  }

  async create(): Promise<void> {
    const notes = this.#biller.newText('invoice');
    const invoice: Invoice = {
      status: new Thing(null),
      lines: new Thing(null),
      payments: new Map(),
      mayHavePayments: false,
      id: undefined,
    };
    this.invoices.set(notes, invoice);
    const body = { notes, ...(await this.#content()) };
    const reply = await this.#biller.send('create invoice', 'POST', INVOICES, body);
    if (this.#isRefused(reply, body)) return;
    this.#learn(invoice, reply, 'draft');
    this.#biller.blame(invoice.lines.learn(reply, firstLineOf(body)));
    if (reply.status === 201) invoice.id = reply.body.data.id;
  }

  async change(): Promise<void> {
    const invoice = this.#existing();
    if (!invoice) return this.create();
    const { clientId, timeEntries: _, currency, ...body } = await this.#content();
    const reply = await this.#biller.send('change invoice', 'PATCH', `${INVOICES}/${invoice.id}`, body);
    if (this.#isRefused(reply, body) || reply.body.code === 'currency_mismatch') return;
    if (!this.#learn(invoice, reply, 'draft', 'draft')) return;
    if (reply.status !== 404) this.#biller.blame(invoice.lines.learn(reply, firstLineOf(body)));
  }

  async goOn(): Promise<void> {
    const invoice = this.#existing();
    if (!invoice) return this.create();
    // Mostly a step that is allowed, now and then any.
    const allowed = STEPS.filter((each) => invoice.status.may(each.prior));
    const isAny = allowed.length === 0 || this.#biller.pick([true, false, false, false]);
    const { step, prior, effect } = this.#biller.pick(isAny ? STEPS : allowed);
    const path = `${INVOICES}/${invoice.id}`;
    const [method, target] = step === 'delete' ? ['DELETE', path] : ['POST', `${path}/${step}`];
    const reply = await this.#biller.send(`${step} invoice`, method, target);
    if (step === 'pay' && reply.status !== 409) invoice.mayHavePayments = true;
    if (reply.body.code === 'invoice_has_payments') {
      if (!invoice.mayHavePayments) this.#biller.blame(`the invoice ${invoice.id} is said to have payments`);
      return;
    }
    this.#learn(invoice, reply, effect, prior);
  }

  /** One payment, or several at once, of which some are more than what is due. */
  async pay(): Promise<void> {
    const invoice = this.#payable();
    if (!invoice) return this.goOn();
    const { pick } = this.#biller;
    await Promise.all(Array.from({ length: pick([1, 1, 2, 5]) }, () => this.#payOnce(invoice)));
  }

  async #payOnce(invoice: Invoice): Promise<void> {
    const { blame, newText, pick, send } = this.#biller;
    const reference = newText('payment');
    const payment = new Thing(null);
    invoice.payments.set(reference, payment);
    const body = { amount: pick(AMOUNTS), reference };
    const reply = await send('create payment', 'POST', `${INVOICES}/${invoice.id}/payments`, body);
    if (REFUSED_PAYMENTS.has(reply.body.code)) return;
    invoice.mayHavePayments = true;
    blame(payment.learn(reply, 'there'));
    // Whether something is left to pay, the invoice alone knows.
    for (const status of ['sent', 'paid']) invoice.status.allow(status);
  }

  async takeBack(): Promise<void> {
    const invoice = this.#payable();
    if (!invoice) return this.goOn();
    const { blame, pick, send } = this.#biller;
    const path = `${INVOICES}/${invoice.id}/payments`;
    const { status, body } = await send('list payments', 'GET', path);
    if (status !== 200 || body.data.length === 0) return;
    const { id, reference } = pick<Json>(body.data);
    const reply = await send('take payment back', 'DELETE', `${path}/${id}`);
    blame((reference === null ? new Thing('there') : this.#paymentOf(invoice, reference)).learn(reply, null));
    invoice.status.allow('sent');
  }

  #paymentOf(invoice: Invoice, reference: string): Thing {
    const payment = invoice.payments.get(reference);
    if (!payment?.may('there')) this.#biller.blame(`the invoice ${invoice.id} has the payment ${reference}`);
    return payment ?? new Thing(null);
  }

  #payable(): Invoice | undefined {
    const known = [...this.invoices.values()].filter(
      ({ id, status }) => id && (status.may('sent') || status.may('paid')),
    );
    return known.length > 0 ? this.#biller.pick(known) : undefined;
  }

  /** @param path of what shows an invoice: as JSON, or as a PDF or its payments, which show that there is one */
  async read(operationId: string, path: string): Promise<void> {
    const invoice = this.#existing();
    if (!invoice) return this.create();
    const { status, body } = await this.#biller.send(operationId, 'GET', path.replace('{id}', invoice.id ?? ''));
    if (status >= 500) return;
    const shown = body.data?.status ? [body.data.status] : STATUSES;
    const seen = status === 404 ? [null] : shown;
    if (!seen.some((each) => invoice.status.may(each))) {
      this.#biller.blame(`the invoice ${invoice.id} is ${seen.join(' or ')}, though it is ${invoice.status}`);
    }
  }

  /** A line of its own first, then perhaps something that others want too. */
  async #content(): Promise<Json> {
    const { pick } = this.#biller;
    const first = { name: this.#biller.newText('line'), price: '12.50', quantity: '1.5', taxRate: '19' };
    const clientId = pick([...this.#clientIds, ...this.#biller.own('client')]);
    switch (pick(['own', 'product', 'entries', 'time', 'time'])) {
      case 'product': {
        const products = this.#biller.own('product').map((productId) => ({ productId }));
        return { clientId, currency: 'USD', lineItems: [first, ...products.slice(-2)] };
      }
      case 'entries':
        return this.#chosenTime(first, pick(this.#clientIds));
      case 'time': {
        const timeEntries = { ...RANGE, groupBy: pick(['entry', 'project', 'day']), taxRate: '7' };
        return { clientId: pick(this.#clientIds), currency: pick(CURRENCIES), lineItems: [first], timeEntries };
      }
      default:
        return { clientId, lineItems: [first] };
    }
  }

  /** Some entries of a client that nobody had billed a moment ago. */
  async #chosenTime(first: Json, clientId: string): Promise<Json> {
    const { body } = await this.#biller.send('read entries', 'GET', `${ENTRIES}?clientId=${clientId}&limit=50`);
    const unbilled = (body.data ?? []).filter((entry: Json) => entry.billingStatus === 'unbilled' && entry.rate);
    const currency = unbilled[0]?.currency ?? 'USD';
    const ids = unbilled.filter((entry: Json) => entry.currency === currency).map(({ id }: Json) => id);
    const entryIds = ids.slice(0, this.#biller.pick([1, 2, 5]));
    return { clientId, currency, lineItems: [first, ...(entryIds.length > 0 ? [{ entryIds }] : [])] };
  }

  #existing(): Invoice | undefined {
    const known = [...this.invoices.values()].filter(({ id }) => id !== undefined);
    return known.length > 0 ? this.#biller.pick(known) : undefined;
  }

  #isRefused(reply: Reply, body: Json): boolean {
    const billsTime = body.timeEntries !== undefined || body.lineItems.some((line: Json) => line.entryIds);
    const isContention = billsTime && reply.status < 500 && CONTENTION.has(reply.body.code);
    return isContention || this.#biller.isDeadLink(reply, body);
  }

  /**
   * @param prior the status that the step needs, if it needs one
   * @returns false where the invoice was not in it
   */
  #learn({ status, id }: Invoice, reply: Reply, effect: string | null, prior?: string): boolean {
    const { blame } = this.#biller;
    if (prior !== undefined && reply.body.code === 'invoice_state_forbids') {
      if (!status.exclude(prior)) blame(`the invoice ${id} is said not to be ${prior}`);
      return false;
    }
    if (prior !== undefined && reply.status < 300 && !status.may(prior)) {
      blame(`the invoice ${id} is ${effect} now, though it was ${status}`);
    }
    blame(status.learn(reply, effect));
    return true;
  }
}

function firstLineOf({ lineItems }: Json): string {
  return lineItems[0].name;
}
