import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#shared/openapi/types.ts';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { bodyWith, type Member, membersOf } from '#test/support/schema-members.ts';

/** What is at the limit of a text, a number or a decimal string can be kept, and is shown. */

type Limits = readonly (string | number)[];

/** Texts of a form, and the name, which no other organization has. */
const FILLED: Readonly<Record<string, (length: number) => string>> = {
  name: (length) => `${randomUUID()}${'😀'.repeat(length - 36)}`,
  'invoiceNumbering.format': (length) => `${'x'.repeat(length - 3)}{n}`,
  'creditNoteNumbering.format': (length) => `${'x'.repeat(length - 3)}{n}`,
  email: (length) => `${'x'.repeat(length - 12)}@example.com`,
  paymentUrl: (length) => `https://pay.example/${'x'.repeat(length - 20)}`,
  website: (length) => `https://${'x'.repeat(length - 8)}`,
};

function limitsOf({ path, schema }: Member): Limits | undefined {
  const { maxLength, minimum, maximum, pattern } = schema;
  if (typeof maxLength === 'number') return [(FILLED[path] ?? ((length: number) => '😀'.repeat(length)))(maxLength)];
  if (typeof minimum === 'number' && typeof maximum === 'number') return [minimum, maximum];
  return DECIMALS[String(pattern)];
}

/** By their patterns. */
const DECIMALS: Readonly<Record<string, Limits>> = {
  [patternOf('createInvoice', 'lineItems.0.price')]: ['999999999999.999999', '0'],
  [patternOf('createInvoice', 'discountPercent')]: ['100.000000', '0'],
};

function patternOf(operationId: string, path: string): string {
  const schema: JsonSchema = membersOf(operationId).find((member) => member.path === path)?.schema ?? {};
  return String(schema.pattern);
}

interface Operation {
  readonly base: Readonly<Record<string, unknown>>;
  /** How many members have limits, so that none gets lost on the way here. */
  readonly limited: number;
  readonly send: (by: User, body: object) => Promise<Reply>;
}

const LINE = { name: 'x', price: '1' };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  updateOrganization: {
    base: { rounding: { minutes: 15 } },
    limited: 24,
    send: (by, body) => by.patch('/v1/organization', body),
  },
  createClient: {
    base: { name: 'x' },
    limited: 15,
    send: (by, body) => by.post('/clients', body),
  },
  createInvoice: {
    base: { lineItems: [LINE], timeEntries: { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'day' } },
    limited: 14,
    send: async (by, body) => by.post('/invoices', { clientId: (await given.client(by)).id, ...body }),
  },
  updateInvoice: {
    base: { lineItems: [LINE] },
    limited: 12,
    send: async (by, body) => by.patch(`/invoices/${(await given.invoice(by)).id}`, body),
  },
  createPayment: {
    base: { amount: '1.00' },
    limited: 3,
    send: async (by, body) => {
      const lineItems = [{ ...LINE, price: '999999999999.99', quantity: '10' }];
      return by.post(`/invoices/${(await given.sentInvoice(by, { lineItems })).id}/payments`, body);
    },
  },
};

/** An amount that is paid is more than zero, and within the minor unit. */
const NARROWER: Readonly<Record<string, Limits>> = {
  'createPayment amount': ['999999999999.99', '0.01'],
};

const cases = Object.entries(OPERATIONS).map(([operationId, operation]) => {
  const limits = membersOf(operationId).flatMap((member) => {
    const values = NARROWER[`${operationId} ${member.path}`] ?? limitsOf(member);
    return values ? [[member.path, values] as const] : [];
  });
  return { operationId, ...operation, limits };
});

/** One body for each value that some of the members have: the first values of all, the second ones, and so on. */
function bodiesOf(values: readonly (readonly [path: string, values: Limits])[]) {
  const count = Math.max(...values.map(([, all]) => all.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(values.flatMap(([path, all]) => (all[index] === undefined ? [] : [[path, all[index]]]))),
  );
}

const at = (value: Json, path: string): unknown => path.split('.').reduce((inner, name) => inner?.[name], value);

/** The answer shows the lines that were made, not what they were made of. */
const isWriteOnly = (path: string) => path.startsWith('timeEntries.');

describe.each(cases)('the limits of $operationId', ({ base, limited, send, limits }) => {
  it('are taken by every member, and shown as they were sent', async () => {
    const ana = await given.user();
    expect(limits).toHaveLength(limited);
    for (const values of bodiesOf(limits)) {
      const reply = await send(ana, bodyWith(base, values));
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
      for (const [path, value] of Object.entries(values).filter(([path]) => !isWriteOnly(path))) {
        expect(at(reply.body.data, path), path).toBe(value);
      }
    }
  });
});
