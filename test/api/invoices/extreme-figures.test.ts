import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { draws } from '#test/support/draws.ts';
import { given, type User } from '#test/support/given.ts';

/**
 * Whatever can be billed, paid, credited and refunded at the bounds of what may be sent, can be read and shown. How much it
 * must be is asserted in `invoice-figures.test.ts`.
 */

const INVOICES = draws(12);

/** Any other is as good: a failure names it. */
const SEED = Date.now();

const MOST = '999999999999.999999';

const line = fc.record({
  quantity: fc.constantFrom('0', '0.333333', '1', '3', '30', '1000', MOST),
  price: fc.constantFrom('0', '0.000001', '0.005', '19.99', '333333333.333333', '5000000000', '500000000000', MOST),
  taxRate: fc.constantFrom(null, '0', '7', '33.333333', '100'),
});

/** Of time at these rates. */
const entry = fc.record({
  durationMinutes: fc.constantFrom(1, 20, 60, 525_600),
  rate: fc.constantFrom('0', '0.000001', '99.99', '31708097919', MOST),
});

/** Of what is due, left of a line, or to be refunded. */
const share = fc.integer({ min: 1, max: 1_000 });

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('payment', 'refund', 'amount', 'quantity'), at: fc.nat({ max: 3 }), share }),
  fc.record({ kind: fc.constantFrom('pay', 'entry', 'line', 'rest'), at: fc.nat({ max: 3 }), share }),
);

const drawn = fc.record({
  currency: fc.constantFrom('VND', 'USD', 'KWD'),
  discountPercent: fc.constantFrom(null, '0.000001', '33.333333', '100'),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  entries: fc.array(entry, { maxLength: 2 }),
  steps: fc.array(step, { minLength: 2, maxLength: 6 }),
});

/** More is paid, and credited by amount, than a caller may send. */
const KNOWN = [
  ['payment', 'pay'],
  ['amount', 'rest'],
  ['pay', 'rest', 'refund'],
].map((kinds) => ({
  currency: 'VND',
  discountPercent: null,
  lines: [{ quantity: '3', price: '500000000000', taxRate: null }],
  entries: [],
  steps: kinds.map((kind) => ({ kind, at: 0, share: 1 }) as Step),
}));

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** With as many digits, and no more than a caller may send. */
function shareOf(figure: string, thousandths: number): string {
  const [whole = '', digits = ''] = figure.split('.');
  const part = String((BigInt(whole + digits) * BigInt(thousandths)) / 1_000n).padStart(digits.length + 1, '0');
  const point = part.length - digits.length;
  if (point > 12) return '999999999999';
  return digits ? `${part.slice(0, point)}.${part.slice(point)}` : part;
}

describe(`invoices of extreme figures (seed ${SEED})`, () => {
  let ana: User;
  let clientId: string;
  const seen = new Set<string>();

  beforeAll(async () => {
    ana = await given.user();
    clientId = (await given.client(ana)).id;
  });

  const read = async (path: string) => {
    const { status, body } = await ana.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return body.data;
  };

  /** It is refused, and changes nothing, or can be read as it was answered. */
  async function write(path: string, id: string, body?: object): Promise<void> {
    const before = await read(`/invoices/${id}`);
    const reply = await ana.post(path, body);
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(500);
    seen.add(`${reply.status} ${reply.body.code ?? path.split('/').at(-1)}`);
    if (reply.status >= 400) expect(await read(`/invoices/${id}`)).toEqual(before);
    if (path.endsWith('/credit-notes') && reply.status === 201) {
      expect(await read(`/credit-notes/${reply.body.data.id}`)).toEqual(reply.body.data);
      expect((await read('/credit-notes'))[0]).toEqual(reply.body.data);
    }
    await read(`/invoices/${id}/payments`);
  }

  async function take(id: string, { kind, at, share: thousandths }: Step): Promise<void> {
    const { amountDue, amountToRefund, lineItems } = await read(`/invoices/${id}`);
    const line = lineItems[at % lineItems.length];
    const credit = (wish: object) =>
      write(`/invoices/${id}/credit-notes`, id, { reason: kind, lines: [{ lineItemId: line.id, ...wish }] });
    switch (kind) {
      case 'payment':
        return write(`/invoices/${id}/payments`, id, { amount: shareOf(amountDue, thousandths) });
      case 'refund':
        return write(`/invoices/${id}/refunds`, id, { amount: shareOf(amountToRefund, thousandths) });
      case 'pay':
        return write(`/invoices/${id}/pay`, id);
      case 'amount':
        return credit({ amount: shareOf(line.amount, thousandths) });
      case 'quantity':
        return credit({ quantity: shareOf(line.quantity, thousandths) });
      case 'entry':
        return credit(line.entryIds.length > 0 ? { entryIds: line.entryIds.slice(0, 1) } : {});
      case 'line':
        return credit({});
      case 'rest':
        return write(`/invoices/${id}/credit-notes`, id, { reason: kind });
    }
  }

  it(`can be shown after each of their steps, for ${INVOICES} of them`, { timeout: draws(120_000) }, async () => {
    const invoices = [...KNOWN, ...fc.sample(drawn, { numRuns: INVOICES, seed: SEED })];
    for (const { currency, discountPercent, lines, entries, steps } of invoices) {
      const billed: string[] = [];
      for (const each of entries) billed.push((await given.entry(ana, { clientId, currency, ...each })).id);
      const lineItems = [
        ...lines.map((each) => ({ name: 'Work', ...each })),
        ...(billed.length > 0 ? [{ entryIds: billed }] : []),
      ];
      const { status, body } = await ana.post('/invoices', { clientId, currency, discountPercent, lineItems });
      seen.add(`${status} ${body.code ?? 'invoices'}`);
      if (status !== 201) {
        expect({ status, code: body.code }).toEqual({ status: 400, code: 'invoice_total_too_large' });
        continue;
      }
      const { id, total } = body.data;
      expect(total.split('.')[0].length).toBeLessThanOrEqual(15);
      expect((await ana.post(`/invoices/${id}/send`)).status).toBe(200);
      for (const each of steps) await take(id, each);
      expect((await ana.get(`/invoices/${id}/pdf`)).status).toBe(200);
      await read('/invoices?pagination=offset&q=INV');
    }
    for (const outcome of ['201 payments', '201 credit-notes', '201 refunds']) expect([...seen]).toContain(outcome);
  });
});
