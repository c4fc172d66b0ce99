import { describe, expect, it } from 'vitest';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** Who sells and who is billed: invoices follow both while they are drafts. */

const ADDRESS = {
  addressLine1: 'Lindenallee 12',
  addressLine2: 'Hinterhaus',
  city: 'Hamburg',
  region: 'Hamburg',
  postalCode: '20095',
  countryCode: 'DE',
  email: 'billing@acme.example',
  phone: '+49 40 123456',
  website: 'https://acme.example',
  taxNumber: '22/815/08154',
  vatNumber: 'DE987654321',
};

/** The address that e-invoices come from. */
const SENDER = { electronicAddress: { scheme: '9930', id: 'DE987654321' } };

const RECEIVER = {
  buyerReference: '04011000-12345-03',
  electronicAddress: { scheme: '0204', id: '04011000-12345-03' },
  eInvoiceFormat: null,
};

const PROFILE = {
  ...ADDRESS,
  legalName: 'Acme Consulting GmbH',
  registrationNumber: 'HRB 12345',
  bankDetails: 'IBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  accountName: 'Acme Holding SE',
  contactName: 'Ada Byron',
  ...SENDER,
};

const UNTOLD = Object.fromEntries(Object.keys(PROFILE).map((member) => [member, null]));

const profile = async (by: User, told: Json) =>
  expect((await by.patch('/v1/organization', told)).status, JSON.stringify(told)).toBe(200);

const read = async (by: User, { id }: Json): Promise<Json> => (await by.get(`/invoices/${id}`)).body.data;

const listed = async (by: User, query: Record<string, string> = {}): Promise<Json[]> =>
  (await by.get('/invoices', query)).body.data;

const nodes = async (by: User, query: Record<string, string> = {}): Promise<Json[]> =>
  (await by.get('/invoices', { pagination: 'cursor', ...query })).body.edges.map(({ node }: Json) => node);

describe('the seller of an invoice', () => {
  it('is the organization of now on a draft, with the name alone where nothing else was told', async () => {
    const ana = await given.user();
    const draft = await given.invoice(ana);
    expect(draft.seller).toEqual({ name: ana.organization.name, ...UNTOLD });
    const name = `Acme ${draft.id}`;
    await profile(ana, { name, ...PROFILE, paymentTermsDays: 14, invoiceNotes: 'Thanks.', locale: 'de' });
    const shown = { ...draft, seller: { name, ...PROFILE } };
    expect(await read(ana, draft)).toEqual(shown);
    expect((await ana.patch(`/invoices/${draft.id}`, {})).body.data).toEqual(shown);
    expect(await listed(ana)).toEqual([shown]);
    expect(await nodes(ana)).toEqual([shown]);
    const changed = (await ana.patch(`/invoices/${draft.id}`, { notes: 'New' })).body.data;
    expect(changed).toEqual({ ...shown, notes: 'New', updatedAt: changed.updatedAt });
    await profile(ana, { city: null });
    expect((await read(ana, draft)).seller).toEqual({ name, ...PROFILE, city: null });
  });

  it('is copied when the invoice is sent, and nothing changes it afterwards', async () => {
    const ana = await given.user();
    const draft = await given.invoice(ana);
    await profile(ana, PROFILE);
    const seller = { name: ana.organization.name, ...PROFILE };
    const { id } = draft;
    expect((await ana.post(`/invoices/${id}/send`)).body.data.seller).toEqual(seller);
    const steps: (() => Promise<Reply>)[] = [
      () => ana.patch('/v1/organization', { ...UNTOLD, name: `Other ${id}` }),
      () => ana.post(`/invoices/${id}/payments`, { amount: '1.00' }),
      () => ana.post(`/invoices/${id}/pay`),
    ];
    for (const step of steps) {
      expect((await step()).status).toBeLessThan(300);
      expect((await read(ana, draft)).seller).toEqual(seller);
    }
    expect((await listed(ana))[0]?.seller).toEqual(seller);
    expect((await given.invoice(ana)).seller).toEqual({ name: `Other ${id}`, ...UNTOLD });
  });
});

describe('the customer of an invoice', () => {
  it('is the client of now on a draft, wherever it is shown, and q finds its name of now', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Globex' });
    const draft = await given.invoice(ana, { clientId: client.id });
    const other = await given.invoice(ana);
    await ana.patch(`/clients/${client.id}`, { name: 'Initech', ...ADDRESS, ...RECEIVER });
    const shown = { ...draft, customer: { name: 'Initech', contact: null, ...ADDRESS, ...RECEIVER } };
    expect(await read(ana, draft)).toEqual(shown);
    for (const all of [listed, nodes]) {
      expect(await all(ana)).toEqual([other, shown]);
      expect(await all(ana, { q: 'initECH' })).toEqual([shown]);
      expect(await all(ana, { q: 'globex' })).toEqual([]);
    }
    expect((await ana.get('/invoices', { q: 'initech', limit: '1' })).body.meta.total).toBe(1);
    expect((await ana.get('/invoices', { q: 'globex', offset: '1' })).body.meta.total).toBe(0);
  });

  it('stays the copy of the last change, or of the creation, once the client is deleted', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Globex' });
    const made = { clientId: client.id };
    const [untouched, changed] = [await given.invoice(ana, made), await given.invoice(ana, made)];
    await ana.patch(`/clients/${client.id}`, { name: 'Initech' });
    await ana.patch(`/invoices/${changed.id}`, { notes: 'New' });
    await ana.patch(`/clients/${client.id}`, { name: 'Umbrella' });
    await ana.delete(`/clients/${client.id}`);
    expect((await read(ana, untouched)).customer.name).toBe('Globex');
    expect((await read(ana, changed)).customer.name).toBe('Initech');
    for (const all of [listed, nodes]) {
      const found = async (q: string) => (await all(ana, { q })).map(({ id }) => id);
      expect(await found('globex')).toEqual([untouched.id]);
      expect(await found('initech')).toEqual([changed.id]);
      expect(await found('umbrella')).toEqual([]);
    }
    const sent = (await ana.post(`/invoices/${changed.id}/send`)).body.data;
    expect(sent).toMatchObject({ status: 'sent', customer: { name: 'Initech' } });
  });

  it('is copied when the invoice is sent, and nothing changes it afterwards', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Globex' });
    const { id } = await given.invoice(ana, { clientId: client.id });
    await ana.patch(`/clients/${client.id}`, { name: 'Initech', ...RECEIVER });
    const sent = (await ana.post(`/invoices/${id}/send`)).body.data;
    expect(sent.customer).toMatchObject({ name: 'Initech', ...RECEIVER });
    const others = { name: 'Umbrella', city: 'Bonn', buyerReference: null, electronicAddress: null };
    await ana.patch(`/clients/${client.id}`, others);
    expect(await read(ana, sent)).toEqual(sent);
    for (const all of [listed, nodes]) {
      expect(await all(ana, { q: 'initech' })).toEqual([sent]);
      expect(await all(ana, { q: 'umbrella' })).toEqual([]);
    }
    await ana.post(`/invoices/${id}/void`);
    expect((await read(ana, sent)).customer).toEqual(sent.customer);
  });
});

describe('what an organization says of its new invoices', () => {
  const TERMS = { paymentTermsDays: 14, invoiceNotes: 'Thank you.', locale: 'de' };

  it('is in those that say nothing, from their creation on', async () => {
    const ana = await given.user();
    const before = await given.invoice(ana, { issueDate: '2026-11-20' });
    expect(before).toMatchObject({ dueDate: null, notes: null, locale: null });
    await profile(ana, TERMS);
    expect(await read(ana, before)).toMatchObject({ dueDate: null, notes: null, locale: null });
    const after = await given.invoice(ana, { issueDate: '2026-12-20' });
    expect(after).toMatchObject({ dueDate: '2027-01-03', notes: 'Thank you.', locale: 'de' });
    await profile(ana, { paymentTermsDays: 30, invoiceNotes: 'Other', locale: 'fr' });
    expect(await read(ana, after)).toEqual(after);
    const moved = (await ana.patch(`/invoices/${after.id}`, { issueDate: '2026-12-21' })).body.data;
    expect(moved).toMatchObject({ dueDate: '2027-01-03', notes: 'Thank you.', locale: 'de' });
    const cleared = { dueDate: null, notes: null, locale: null };
    expect((await ana.patch(`/invoices/${after.id}`, cleared)).body.data).toMatchObject(cleared);
  });

  it('is not in those that say otherwise, if only with null', async () => {
    const ana = await given.user();
    await profile(ana, TERMS);
    for (const said of [
      { dueDate: null, notes: null, locale: null },
      { dueDate: '2026-11-21', notes: '', locale: 'fr' },
    ]) {
      expect(await given.invoice(ana, { issueDate: '2026-11-20', ...said })).toMatchObject(said);
    }
  });
});
