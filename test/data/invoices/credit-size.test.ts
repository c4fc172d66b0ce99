import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { expect, it, vi } from 'vitest';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { getCreditNote } from '#shared/contract/invoices/get-credit-note.ts';
import { listCreditNotes } from '#shared/contract/invoices/list-credit-notes.ts';
import { holdPut, holdReplacement, readHolds } from '#shared/data/holds/holds.ts';
import { insertion } from '#shared/data/invoices/invoice-items.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { newVersion } from '#shared/data/table/versioned.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { type Invoice, type LineItem, newInvoice } from '#shared/domain/invoices/invoice.ts';
import { asSent } from '#shared/domain/invoices/sending.ts';
import { Dice } from '#test/search/dice.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { betweenCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';
import { largest } from '#test/support/largest-invoice.ts';
import { organizationOf } from '#test/support/organization.ts';

/** The largest invoices that can be sent: they can be credited, too, in one transaction and one answer. */

const MAX_ITEM_BYTES = 400 * 1_024;
const MAX_TRANSACTION_BYTES = 4 * 1_048_576;

const TOO_MANY_LINES = 10_000;

const now = new Date('2026-11-20T12:00:00.000Z');

const dice = new Dice(1);

/** In any order packing makes them hardly smaller, and drawing is quick. */
const WORDS = Array.from({ length: 4_000 }, () => dice.below(36 ** 5).toString(36));

const text = (words: number) => Array.from({ length: words }, () => WORDS[dice.below(WORDS.length)]).join(' ');

/** A line of one entry, with a rate of tax of its own. Hours times price are its amount, so nothing is said of a sum. */
const lineOf = (index: number, words: number, half = dice.below(500_000)): LineItem => ({
  id: uuidV7(),
  productId: null,
  entryIds: [uuidV7()],
  name: 'x',
  description: text(words),
  quantity: '1.5',
  workedMinutes: null,
  unit: 'hour',
  price: `${2 * half}`,
  taxRate: `${index % 100}.${String(index).padStart(6, '0')}`,
  taxCategory: 'standard',
  taxExemptionReason: null,
  serviceFrom: '2026-11-20',
  serviceTo: '2026-11-20',
  amount: `${3 * half}.00`,
});

function invoiceOf(organizationId: string, lineItems: readonly LineItem[]): Invoice {
  const organization = organizationOf({ id: organizationId });
  const client = newClient({ name: 'Globex' }, organizationId, uuidV7(), now);
  const draft = newInvoice(
    { currency: 'USD', dueDate: null, notes: null },
    { organization, client },
    lineItems,
    uuidV7(),
    now,
  );
  return asSent(draft, 'INV-000001', now);
}

const bytesOf = (item: object | undefined): number =>
  Object.entries(marshall(item ?? {})).reduce((sum, [name, value]) => {
    const content = Object.values(value)[0];
    return (
      sum + name.length + (content instanceof Uint8Array ? content.length : Buffer.byteLength(JSON.stringify(content)))
    );
  }, 0);

/** The sizes of all that the next transactions write. */
function sizesOfWrites(): number[][] {
  const sizes: number[][] = [];
  betweenCalls(async (command, send) => {
    if (command instanceof TransactWriteCommand) {
      sizes.push((command.input.TransactItems ?? []).map(({ Put }) => bytesOf(Put?.Item)));
    }
    return send(command);
  });
  return sizes;
}

it.each([
  ['with as many lines as one can have', 0],
  ['with as many long lines', 48],
])('an invoice %s is credited but for one line, and then whole', { timeout: 60_000 }, async (_, words) => {
  const ana = await given.user();
  const { id: organizationId } = ana.organization;
  const lineItems = Array.from({ length: TOO_MANY_LINES }, (_, index) => lineOf(index + 1, words));
  const lines = largest((count) => invoiceOf(organizationId, lineItems.slice(0, count)), TOO_MANY_LINES);
  const invoice = invoiceOf(organizationId, lineItems.slice(0, lines));
  const hold = { id: uuidV7(), invoiceId: invoice.id, except: new Set(Array.from({ length: 14_000 }, () => uuidV7())) };
  await transact([...(await insertion(invoice, hold.id)), holdPut(organizationId, hold)]);
  const credit = (body: object) => invoke(createCreditNote, ana, { params: { id: invoice.id }, body });
  const most = invoice.lineItems.slice(1).map(({ id }) => ({ lineItemId: id }));
  const sizes = sizesOfWrites();
  const { status, data } = await credit({ reason: 'x', lines: most });
  vi.restoreAllMocks();
  expect(status).toBe(201);
  const transactions = sizes.map((each) => each.reduce((sum, bytes) => sum + bytes, 0));
  expect(Math.max(...transactions)).toBeLessThan(MAX_TRANSACTION_BYTES);
  expect(Math.max(...sizes.flat())).toBeLessThan(MAX_ITEM_BYTES);
  const read = await invoke(getCreditNote, ana, { params: { id: data.id } });
  expect(read.data).toEqual(data);
  expect(data.taxes).toHaveLength(lines - 1);
  expect((await credit({ reason: 'y' })).status).toBe(201);
  const { lineItems: _lines, taxes: _taxes, ...head } = data;
  const [last, listed]: Json[] = (await invoke(listCreditNotes, ana)).data;
  expect([last.lineItems.length, last.taxes.length, listed]).toEqual([1, 1, head]);
});

it.each([
  ['as many', 13_999, 200, undefined, undefined],
  ['too many', 14_000, 422, 'invoice_too_large', expect.stringContaining('More than 14000 entries have left it')],
])(
  'a draft lets go of one entry more, unless its hold then excepts too many: %s',
  async (_, excepted, status, code, detail) => {
    const ana = await given.user();
    const { id: organizationId } = ana.organization;
    const { id: clientId } = await given.client(ana);
    const entries = [await given.entry(ana, { clientId, rate: 60 }), await given.entry(ana, { clientId, rate: 60 })];
    const { id } = await given.invoice(ana, { clientId, lineItems: [{ entryIds: entries.map((entry) => entry.id) }] });
    const { holdId } = await readInvoice(organizationId, id);
    const hold = (await readHolds(organizationId, [{ holdId }])).get(holdId ?? '');
    const except = new Set(Array.from({ length: excepted }, () => uuidV7()));
    if (hold) await transact([holdReplacement(organizationId, hold, { ...hold, version: newVersion(), except })]);
    const change = await ana.patch(`/invoices/${id}`, { lineItems: [{ entryIds: [entries[0]?.id] }] });
    expect([change.status, change.body.code, change.body.detail]).toEqual([status, code, detail]);
  },
);
