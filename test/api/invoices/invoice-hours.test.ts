import { beforeAll, describe, expect, it } from 'vitest';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { readHours } from '#shared/work/invoices/invoice-hours.ts';
import { allText, readPdf, squeeze } from '#test/pdf/read-pdf.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const DAY = '2026-11-20';
const TIME = { dateFrom: DAY, dateTo: DAY, groupBy: 'day' };

const entryOf = (by: User, clientId: string, values: object = {}) =>
  given.entry(by, { clientId, durationMinutes: 10, entryDate: DAY, rate: 137.5, description: 'Review', ...values });

/** Of two entries of one client. */
async function billed(by: User, step = given.invoice): Promise<Json> {
  const { id: clientId } = await given.client(by);
  for (const description of ['Review', 'Deploy']) await entryOf(by, clientId, { description });
  return step(by, { clientId, timeEntries: TIME });
}

const textOf = async (by: User, { id }: Json, query: Record<string, string> = {}) =>
  allText(await readPdf((await by.get(`/invoices/${id}/pdf`, query)).body));

const WITH = { hours: 'true' };
const HEAD = squeeze('DATE DESCRIPTION PERSON HOURS RATE AMOUNT USD');

describe('GET /invoices/{id}/pdf?hours=true', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it.each([
    ['draft', given.invoice],
    ['sent invoice', given.sentInvoice],
  ])('has the entries of a %s, with who did them', async (_, step) => {
    const invoice = await billed(ana, step);
    const text = await textOf(ana, invoice, WITH);
    const name = squeeze((await ana.get('/v1/me')).body.data.userName);
    expect(text).toContain(`${HEAD}20November2026Review${name}0:10$137.50$22.92`);
    expect(text).toContain(`20November2026Deploy${name}0:10$137.50$22.92Sum0:20$45.84`);
    expect(text).toContain(squeeze('Sum of 2 entries, each rounded'));
  });

  it('has none without tracked time, and none unless they are asked for', async () => {
    expect(await textOf(ana, await given.invoice(ana), WITH)).not.toContain(HEAD);
    expect(await textOf(ana, await billed(ana))).not.toContain(HEAD);
  });

  it('looks for nothing where an invoice bills no time', async () => {
    const invoice = await readInvoice(ana.organization.id, (await given.invoice(ana)).id);
    const wish = { hours: undefined, principal: { scopes: SCOPES }, pay: async () => {} };
    expect((await costOf(() => readHours(invoice, wish))).calls).toBe(0);
  });

  it('has them by default where the organization prints them, as they were rounded, but not in an e-invoice', async () => {
    const bea = await given.user();
    await bea.patch('/v1/organization', { rounding: { minutes: 15 } });
    const invoice = await billed(bea, given.sentInvoice);
    expect((await bea.patch('/v1/organization', { printsHours: true })).body.data.printsHours).toBe(true);
    const text = await textOf(bea, invoice);
    for (const part of [HEAD, squeeze('Time worked: 0:20'), '0:15$137.50$34.38']) expect(text).toContain(part);
    expect(await textOf(bea, invoice, { hours: 'false' })).not.toContain(HEAD);
    const { id } = await given.eInvoice(bea);
    expect(await textOf(bea, { id }, { profile: 'factur-x' })).not.toContain('PERSON');
    expect((await bea.patch('/v1/organization', { printsHours: null })).body.data.printsHours).toBe(false);
    expect(await textOf(bea, invoice)).not.toContain(HEAD);
  });

  it('needs the scope of the tracker as well where it is asked for, and has none by default without it', async () => {
    const bea = await given.user();
    const invoice = await billed(bea);
    const scopes = SCOPES.filter((scope) => scope !== 'tracker:read' && scope !== 'tracker:write');
    const cara = await given.user({ organization: bea.organization, scopes });
    await bea.patch('/v1/organization', { printsHours: true });
    const refused = await cara.get(`/invoices/${invoice.id}/pdf`, WITH);
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(await textOf(bea, invoice)).toContain(HEAD);
    const text = await textOf(cara, invoice);
    expect(text).toContain(squeeze('Sum of 2 entries, each rounded'));
    expect(text).not.toContain(HEAD);
  });

  it('is not for an e-invoice', async () => {
    const { id } = await given.invoice(ana);
    const reply = await ana.get(`/invoices/${id}/pdf`, { hours: 'true', profile: 'factur-x' });
    expect(reply).toMatchObject({ status: 422, body: { errors: [{ path: 'hours', code: 'exclusive' }] } });
  });

  it('tells what was billed, of entries that were released and changed or removed since, and of a removed user', async () => {
    const bea = await given.user();
    const cara = await given.user({ organization: bea.organization });
    const { id: clientId } = await given.client(bea);
    const names = ['Kept', 'Freed', 'Changed', 'Removed'];
    const entries: Json[] = [];
    for (const description of names) entries.push(await entryOf(cara, clientId, { description }));
    const invoice = await given.sentInvoice(bea, { clientId, timeEntries: TIME });
    const [line] = invoice.lineItems;
    const before = await textOf(bea, invoice, WITH);
    for (const name of names) expect(before).toContain(`20November2026${name}`);
    const freed = entries.slice(1).map(({ id }) => id);
    await given.creditNote(bea, invoice.id, { lines: [{ lineItemId: line.id, entryIds: freed }] });
    const [kept, , changed, removed] = entries;
    await bea.patch(`/v1/work/tracker/entries/${kept?.id}`, { metadata: { ticket: '7' } });
    await bea.patch(`/v1/work/tracker/entries/${changed?.id}`, { description: 'Other', durationMinutes: 600 });
    await bea.delete(`/v1/work/tracker/entries/${removed?.id}`);
    await bea.delete(`/v1/users/${cara.userId}`);
    const after = await textOf(bea, invoice, WITH);
    for (const name of ['Kept', 'Freed']) expect(after).toContain(`20November2026${name}`);
    for (const name of ['Changed', 'Removed', 'Other']) expect(after).not.toContain(`20November2026${name}`);
    expect(after).toContain(squeeze('Entries changed since they were billed 0:20 $137.50 $45.84 Sum 0:40 $91.68'));
    expect(after.split('0:10$137.50$22.92')).toHaveLength(3);
  });

  it('has none by default where the texts are too large, which is a 400 where they are asked for', async () => {
    const bea = await given.user();
    const { id: clientId } = await given.client(bea);
    for (const task of Array(25).keys())
      await entryOf(bea, clientId, { description: `${task} ${'क'.repeat(1_900 + task)}` });
    const invoice = await given.invoice(bea, { clientId, timeEntries: TIME });
    await bea.patch('/v1/organization', { printsHours: true });
    const refused = await bea.get(`/invoices/${invoice.id}/pdf`, WITH);
    expect([refused.status, refused.body.code]).toEqual([400, 'document_too_large']);
    expect(await textOf(bea, invoice)).not.toContain(HEAD);
  });

  it('has the entries of a void invoice as they were billed, whoever bills them next', async () => {
    const invoice = await billed(ana, given.sentInvoice);
    await ana.post(`/invoices/${invoice.id}/void`);
    await given.invoice(ana, { clientId: invoice.clientId, timeEntries: TIME });
    expect(await textOf(ana, invoice, WITH)).toContain('20November2026Deploy');
  });
});
