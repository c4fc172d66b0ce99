import { beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** How an organization numbers its documents. */

const NUMBERS = { pagination: 'cursor', orderBy: 'number', orderDirection: 'asc', status: 'sent,paid,credited,void' };

describe('the numbers of an organization', () => {
  let ana: User;
  let clientId: string;

  beforeEach(async () => {
    ana = await given.user();
    clientId = (await given.client(ana)).id;
  });

  const number = (invoiceNumbering: unknown) => ana.patch('/v1/organization', { invoiceNumbering });
  const numbering = async () => (await ana.get('/v1/organization')).body.data.invoiceNumbering;
  const draft = async (issueDate = '2026-11-20') => (await given.invoice(ana, { clientId, issueDate })).id;
  const send = async (issueDate?: string) => ana.post(`/invoices/${await draft(issueDate)}/send`);
  const sent = async (issueDate?: string): Promise<string> => (await send(issueDate)).body.data.number;
  const credit = async (values: Json = {}) =>
    given.creditNote(ana, (await given.sentInvoice(ana, { clientId })).id, values);

  async function ordered(path = '/invoices', query: Json = NUMBERS): Promise<string[]> {
    const { edges } = (await ana.get(path, query)).body;
    return edges.map(({ node }: Json) => node.number);
  }

  it('go on with those of the company that moves in, whatever its format', async () => {
    const changed = await number({ format: '2026-{n:4}', next: 118 });
    expect([changed.status, changed.body.data.invoiceNumbering]).toEqual([200, { format: '2026-{n:4}', next: 118 }]);
    expect([await sent(), await sent('2026-12-02'), await numbering()]).toEqual([
      '2026-0118',
      '2026-0119',
      { format: '2026-{n:4}', next: 120 },
    ]);
    const year = new Date().getFullYear();
    await number({ format: 'RE {yyyy}/{n:4}', next: 40 });
    const later = [await sent(`${year}-01-02`), await sent(`${year - 1}-12-31`)];
    expect(later).toEqual([`RE ${year}/0040`, `RE ${year - 1}/0001`]);
    const inOrder = ['2026-0118', '2026-0119', ...later];
    expect(await ordered()).toEqual(inOrder);
    // A payment writes the invoice again, which keeps its place.
    const [{ id }] = (await ana.get('/invoices', { q: inOrder[3] })).body.data;
    await ana.post(`/invoices/${id}/pay`);
    expect(await ordered()).toEqual(inOrder);
  });

  it('are raised, and never lowered', async () => {
    await sent();
    await number({ next: 999_999_998 });
    expect([await sent(), await sent()]).toEqual(['INV-999999998', 'INV-999999999']);
    const ended = await send();
    expect([ended.status, ended.body.code]).toEqual([409, 'number_taken']);
    const read = await numbering();
    expect(read.next).toBeNull();
    expect((await number(read)).body.data.invoiceNumbering).toEqual(read);
    await ana.patch('/v1/organization', { creditNoteNumbering: { next: 5 } });
    for (const [member, next] of [['invoiceNumbering', 999_999_999] as const, ['creditNoteNumbering', 4] as const]) {
      const { errors } = (await ana.patch('/v1/organization', { [member]: { next } })).body;
      expect(errors).toMatchObject([{ path: `${member}.next`, code: 'number_goes_back' }]);
    }
  });

  it.each([{ format: 'INV' }, { format: '{mm}-{n}' }])('are not by %j', async (wanted) => {
    const { status, body } = await number(wanted);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(await numbering()).toEqual({ format: 'INV-{n:6}', next: 1 });
  });

  it('are never given twice: a draft is refused, nothing is written, and a raised number helps', async () => {
    await sent();
    await sent();
    await number({ format: '{yyyy}-{n}' });
    await number({ format: 'INV-{n:6}' });
    const id = await draft();
    const before = (await ana.get(`/invoices/${id}`)).body;
    const refused = await ana.post(`/invoices/${id}/send`);
    expect([refused.status, refused.body.code]).toEqual([409, 'number_taken']);
    expect([(await ana.get(`/invoices/${id}`)).body, (await numbering()).next]).toEqual([before, 1]);
    await number({ next: 3 });
    expect((await ana.post(`/invoices/${id}/send`)).body.data.number).toBe('INV-000003');
    await number({ format: '{yyyy}-{n}' });
    expect(await sent()).toMatch(/^\d{4}-1$/);
    await number({ format: 'X{n}' });
    await number({ format: '{yyyy}-{n}' });
    expect((await send()).body.code).toBe('number_taken');
  });

  it('of credit notes are beside those of invoices, which may be the same', async () => {
    const invoice = await given.sentInvoice(ana, { clientId });
    await ana.patch('/v1/organization', { creditNoteNumbering: { format: 'INV-{n:6}' } });
    expect((await given.creditNote(ana, invoice.id)).number).toBe(invoice.number);
    await ana.patch('/v1/organization', { creditNoteNumbering: { format: 'C{yyyy}-{n}', next: 9 } });
    const { issueDate, number: first } = await credit();
    expect(first).toBe(`C${issueDate.slice(0, 4)}-9`);
    const other = await given.sentInvoice(ana, { clientId, issueDate: '2025-06-01' });
    const old = await given.creditNote(ana, other.id, { issueDate: '2025-07-01' });
    expect([old.number, old.invoiceNumber]).toEqual(['C2025-1', other.number]);
    const query = { pagination: 'cursor', orderBy: 'number', orderDirection: 'asc' };
    expect(await ordered('/credit-notes', query)).toEqual([invoice.number, first, 'C2025-1']);
    await ana.patch('/v1/organization', { creditNoteNumbering: { format: 'INV-00000{n}', next: 10 } });
    await ana.patch('/v1/organization', { creditNoteNumbering: { format: '{yyyy}{n}' } });
    await ana.patch('/v1/organization', { creditNoteNumbering: { format: 'INV-{n:6}' } });
    const { id } = await given.sentInvoice(ana, { clientId });
    for (const query of ['', '?dryRun=true']) {
      const refused = await ana.post(`/invoices/${id}/credit-notes${query}`, { reason: 'x' });
      expect([refused.status, refused.body.code], query).toEqual([409, 'number_taken']);
    }
    expect((await ana.get(`/invoices/${id}`)).body.data.creditedTotal).toBe('0.00');
    await ana.patch('/v1/organization', { creditNoteNumbering: { next: 999_999_999 } });
    const draft = await ana.post(`/invoices/${id}/credit-notes?dryRun=true`, { reason: 'x' });
    expect(draft.status).toBe(200);
    await credit();
    const ended = await ana.post(`/invoices/${id}/credit-notes?dryRun=true`, { reason: 'x' });
    expect([ended.status, ended.body.code]).toEqual([409, 'number_taken']);
  });

  it('name the files of their documents, and are in them', async () => {
    await number({ format: 'RE {yyyy}/"{n}"' });
    const { id, number: printed } = (await send()).body.data;
    expect(printed).toBe('RE 2026/"1"');
    const pdf = await ana.get(`/invoices/${id}/pdf`);
    expect(pdf.headers.get('content-disposition')).toBe('inline; filename="RE-2026--1-.pdf"');
    const invoice = await given.eInvoice(ana);
    const xml = await ana.get(`/invoices/${invoice.id}/e-invoice`, { format: 'xrechnung-ubl' });
    expect(xml.headers.get('content-disposition')).toBe('attachment; filename="RE-2026--2-.xml"');
    expect(Buffer.from(xml.body).toString()).toContain('RE 2026/"2"');
    expect((await ana.get('/invoices', { q: 're 2026/"1' })).body.data.map((each: Json) => each.id)).toEqual([id]);
  });

  it('have no gap within a series when twenty are sent at once, while the format changes', async () => {
    await number({ format: '{yyyy}-{n:4}', next: 118 });
    const drafts = await Promise.all(Array.from({ length: 20 }, (_, i) => draft(i % 2 ? '2026-11-20' : '2025-11-20')));
    const sends = drafts.map((id) => ana.post(`/invoices/${id}/send`));
    await number({ format: 'X{yyyy}-{n}' });
    const numbers = (await Promise.all(sends)).map(({ body }) => String(body.data.number));
    for (const prefix of ['2026-', '2025-', 'X2026-', 'X2025-']) {
      const found = numbers.filter((each) => each.startsWith(prefix)).map((each) => Number(each.slice(prefix.length)));
      const first = prefix === '2026-' && new Date().getFullYear() === 2026 ? 118 : 1;
      expect(found.sort((a, b) => a - b)).toEqual(found.map((_, i) => first + i));
    }
    expect(numbers).toHaveLength(20);
    expect(new Set(numbers).size).toBe(20);
  });

  it('let the currency change until the first, and not with the same request after it', async () => {
    const euros = { currency: 'EUR', invoiceNumbering: { next: 4 } };
    expect((await ana.patch('/v1/organization', euros)).status).toBe(200);
    expect(
      (await ana.patch('/v1/organization', { currency: 'CHF', invoiceNumbering: { format: '{yyyy}-{n}' } })).status,
    ).toBe(200);
    expect((await ana.patch('/v1/organization', { currency: 'USD' })).status).toBe(200);
    await sent();
    for (const changes of [{ currency: 'EUR' }, { currency: 'EUR', invoiceNumbering: { next: 70 } }]) {
      expect((await ana.patch('/v1/organization', changes)).body.code).toBe('currency_in_use');
    }
    expect((await numbering()).next).toBeLessThan(70);
  });

  it('are a change of the organization, though nothing else of it changes', async () => {
    const { updatedAt } = (await ana.get('/v1/organization')).body.data;
    expect((await number({ next: 5 })).body.data.updatedAt > updatedAt).toBe(true);
  });
});
