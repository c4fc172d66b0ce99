import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { listCreditNotes } from '#shared/contract/invoices/list-credit-notes.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import {
  creditNotePartition,
  creditNoteRowPartition,
  FILTERED_ATTRIBUTES,
  invoicePartition,
  invoiceRowPartition,
} from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { database } from '#shared/data/table/database.ts';
import type { Item } from '#shared/data/table/query.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

/** Lists believe the lean rows: whatever happens to an invoice, its row says what it says itself. */

const FILTERED = ['sk', ...FILTERED_ATTRIBUTES];

const filtered = (item: Item): Item =>
  Object.fromEntries(FILTERED.flatMap((name) => (name in item ? [[name, item[name]]] : [])));

describe('the lean rows of invoices and credit notes', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  /** @returns what the rows say, which has to be what the heads say */
  async function rows(): Promise<Item[]> {
    const { id } = ana.organization;
    const all: Item[] = [];
    for (const [heads, lean] of [
      [invoicePartition(id), invoiceRowPartition(id)],
      [creditNotePartition(id), creditNoteRowPartition(id)],
    ] as const) {
      const found = await readCollection({ partition: lean });
      expect(found.map(({ pk: _, ...row }) => row)).toEqual((await readCollection({ partition: heads })).map(filtered));
      all.push(...found);
    }
    return all;
  }

  const rowOf = async (id: string) => (await rows()).find(({ sk }) => sk === id);

  it('follow an invoice through its life', async () => {
    const { id, clientId } = await given.invoice(ana, { issueDate: '2026-11-01', dueDate: '2026-11-30' });
    const draft = { status: 'draft', clientId, issueDate: '2026-11-01', dueDate: '2026-11-30' };
    expect(await rowOf(id)).toMatchObject(draft);
    await ana.patch(`/invoices/${id}`, { issueDate: '2026-11-02', dueDate: null });
    expect(await rowOf(id)).toMatchObject({ issueDate: '2026-11-02' });
    expect(await rowOf(id)).not.toHaveProperty('dueDate');
    const lineItems = [{ name: 'Hosting', price: '10.00' }];
    await ana.patch(`/invoices/${id}`, { dueDate: '2026-12-24', lineItems });
    expect(await rowOf(id)).toMatchObject({ status: 'draft', dueDate: '2026-12-24' });
    await ana.post(`/invoices/${id}/send`);
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
    const { id: paymentId } = await given.payment(ana, id);
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
    await ana.post(`/invoices/${id}/pay`);
    expect(await rowOf(id)).toMatchObject({ status: 'paid' });
    await ana.delete(`/invoices/${id}/payments/${paymentId}`);
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('follow an invoice that is void, deleted or credited', async () => {
    const [gone, voided, credited] = [
      await given.invoice(ana),
      await given.sentInvoice(ana),
      await given.sentInvoice(ana),
    ];
    await ana.delete(`/invoices/${gone.id}`);
    expect(await rowOf(gone.id)).toBeUndefined();
    await ana.post(`/invoices/${voided.id}/void`);
    expect(await rowOf(voided.id)).toMatchObject({ status: 'void' });
    const { id, clientId, issueDate } = await given.creditNote(ana, credited.id);
    expect(await rowOf(id)).toMatchObject({ clientId, invoiceId: credited.id, issueDate });
    const { status } = (await ana.get(`/invoices/${credited.id}`)).body.data;
    expect(await rowOf(credited.id)).toMatchObject({ status });
  });
});

describe('a list of invoices', () => {
  it.each(['offset', 'cursor'])('by %s leaves out an invoice that goes while it is read', async (pagination) => {
    const eve = await given.user();
    const { id: clientId } = await given.client(eve);
    const [first, gone, last] = [
      await given.invoice(eve, { clientId }),
      await given.invoice(eve, { clientId }),
      await given.invoice(eve, { clientId }),
    ];
    const goes = vi.fn(() => eve.delete(`/invoices/${gone.id}`));
    beforeCalls((command) => command instanceof BatchGetCommand, [goes]);
    const { data, edges } = await invoke(listInvoices, eve, { query: { status: 'draft', pagination } });
    const shown: Item[] = data ?? edges.map(({ node }: { node: Item }) => node);
    expect(goes).toHaveBeenCalled();
    expect(shown.map(({ id }) => id)).toEqual([last.id, first.id]);
  });
});

describe('a list in the order of dates', () => {
  const [FROM, TO] = ['2026-11-02', '2026-11-03'];
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    for (const day of ['2026-11-01', FROM, TO, '2026-11-04', '2026-11-05']) {
      const { id } = await given.sentInvoice(ana, { issueDate: day, dueDate: day });
      await given.creditNote(ana, id, { issueDate: day });
    }
  });

  it.each([
    ['listInvoices', 'issueDate', listInvoices],
    ['listInvoices', 'dueDate', listInvoices],
    ['listCreditNotes', 'issueDate', listCreditNotes],
  ])('reads nothing beside the range: %s by %s', async (_, orderBy, list) => {
    const name = orderBy.replace('Date', '');
    for (const [range, found] of [
      [{ [`${name}From`]: FROM }, 4],
      [{ [`${name}To`]: TO }, 3],
      [{ [`${name}From`]: FROM, [`${name}To`]: TO }, 2],
    ] as const) {
      const { mock } = vi.spyOn(database, 'send');
      const { totalCount } = await invoke(list, ana, { query: { pagination: 'cursor', orderBy, ...range } });
      const answers: Item[] = await Promise.all(mock.results.map(({ value }) => value));
      const scanned = answers.flatMap(({ ScannedCount }) => ScannedCount ?? []);
      expect({ totalCount, scanned }).toEqual({ totalCount: found, scanned: [found] });
      vi.restoreAllMocks();
    }
  });
});
