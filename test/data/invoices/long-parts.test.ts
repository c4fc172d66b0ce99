import { randomBytes } from 'node:crypto';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { getInvoice } from '#shared/contract/invoices/get-invoice.ts';
import { insertion } from '#shared/data/invoices/invoice-items.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { requireInvoice } from '#shared/data/invoices/payments.ts';
import { invoiceLinesPartition } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

/** Long lines, and what was credited, lie beside the head, and are replaced after the head was read. */

let ana: User;

beforeEach(async () => {
  ana = await given.user();
});

/** Before the parts of this kind are read. */
const beforeParts = (kind: string, happen: () => Promise<unknown>) =>
  beforeCalls(
    (command) => command instanceof BatchGetCommand && JSON.stringify(command.input).includes(kind),
    [happen],
  );

async function partsOf(id: string): Promise<string[]> {
  const parts = await readCollection({ partition: invoiceLinesPartition(ana.organization.id, id) });
  return parts.map(({ sk }) => String(sk).split('#')[0] ?? '');
}

it('an invoice is read with the lines that come meanwhile, and none of the former ones', async () => {
  const linesOf = (description: string) => Array.from({ length: 60 }, () => ({ name: 'x', description, price: '1' }));
  const [before, after] = ['a'.repeat(200), 'b'.repeat(200)];
  const { id } = await given.invoice(ana, { lineItems: linesOf(before) });
  beforeParts('LINES#', () => ana.patch(`/invoices/${id}`, { lineItems: linesOf(after) }));
  const { status, data } = await invoke(getInvoice, ana, { params: { id } });
  expect([status, new Set(data.lineItems.map(({ description }: Json) => description))]).toEqual([
    200,
    new Set([after]),
  ]);
});

it('an invoice has the lines of its last change, and none of the former ones, and long ones weigh nothing where it is listed', async () => {
  const short = [{ name: 'short', price: '1' }];
  const long = Array.from({ length: 60 }, () => ({
    name: 'long',
    description: randomBytes(200).toString('hex'),
    price: '1',
  }));
  const { id } = await given.invoice(ana, { lineItems: long });
  for (const lineItems of [short, long, long, short, long]) {
    const { data } = (await ana.patch(`/invoices/${id}`, { lineItems })).body;
    expect(data.lineItems).toMatchObject(lineItems);
    expect((await ana.get(`/invoices/${id}`)).body.data).toEqual(data);
    expect(await partsOf(id)).toEqual(lineItems === long ? ['LINES'] : []);
    expect((await costOf(() => requireInvoice(ana.organization.id, id))).readUnits).toBe(1);
  }
  await ana.delete(`/invoices/${id}`);
  expect(await partsOf(id)).toEqual([]);
});

it('a credit counts what another one credits meanwhile', async () => {
  const { id, lineItems } = await given.sentInvoice(ana, { lineItems: [{ name: 'x', quantity: '5', price: '1' }] });
  const creditOf = (quantity: string) => ({ reason: 'x', lines: [{ lineItemId: lineItems[0].id, quantity }] });
  await given.creditNote(ana, id, creditOf('1'));
  beforeParts('CREDITED#', () => given.creditNote(ana, id, creditOf('2')));
  const { status } = await invoke(createCreditNote, ana, { params: { id }, body: creditOf('2') });
  expect(status).toBe(201);
  expect((await ana.get(`/invoices/${id}`)).body.data.creditedTotal).toBe('5.00');
  expect(await partsOf(id)).toEqual(['CREDITED']);
});

it('the lines of an invoice take five items beside the head at most, however badly they pack', async () => {
  const { id } = await given.invoice(ana);
  const { lineItems, ...draft } = await readInvoice(ana.organization.id, id);
  const [line] = lineItems;
  const partsWith = async (count: number) => {
    const lines = Array.from({ length: count }, () => ({
      ...line,
      description: randomBytes(1_500).toString('base64'),
    }));
    const written = await insertion({ ...draft, lineItems: lines as typeof lineItems }, null);
    return written.filter(({ Put }) => String(Put?.Item?.sk).startsWith('LINES#')).length;
  };
  expect(await partsWith(1_200)).toBe(5);
  await expect(partsWith(1_400)).rejects.toThrow(
    'The invoice would be too large. Its lines take more than 1.9 MB when they are packed.',
  );
});
