import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const PATH = '/v1/organization';

const present = async (by: User): Promise<Json> => (await by.get(PATH)).body.data;

describe('PATCH /v1/organization', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('takes a whole profile, shows it, and sets all of it to null again', async () => {
    const bea = await given.user();
    const before = await present(bea);
    const profile = updateOrganization.example.body;
    const reply = await bea.patch(PATH, profile);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({ ...before, ...profile, updatedAt: expect.any(String) });
    expect(reply.body.data.updatedAt > before.updatedAt).toBe(true);
    expect(await present(bea)).toEqual(reply.body.data);

    const { currency, ...clearable } = profile;
    const nulls = Object.fromEntries(Object.keys(clearable).map((member) => [member, null]));
    expect((await bea.patch(PATH, nulls)).body.data).toEqual({
      ...before,
      currency,
      // A number never goes back.
      invoiceNumbering: { ...before.invoiceNumbering, next: profile.invoiceNumbering.next },
      updatedAt: expect.any(String),
    });
  });

  it('changes only what is sent', async () => {
    await ana.patch(PATH, { city: 'Bonn', region: 'NRW' });
    const before = await present(ana);
    const { body } = await ana.patch(PATH, { city: 'Berlin' });
    expect(body.data).toEqual({ ...before, city: 'Berlin', updatedAt: expect.any(String) });
  });

  it.each([
    ['accentColor', '1d4e89'],
    ['accentColor', '#1d4e89ff'],
    ['accentColor', '#1d4e8g'],
    ['footer', 'One\r\nTwo\rThree\u2028Four'],
  ])('refuses as %s: %j', async (member, value) => {
    const reply = await ana.patch(PATH, { [member]: value });
    expect([reply.status, reply.body.errors?.[0]?.path]).toEqual([422, member]);
  });

  it('takes three lines as a footer, however they end', async () => {
    const footer = 'One\r\nTwo\u2029Three';
    expect((await ana.patch(PATH, { footer })).body.data.footer).toBe(footer);
  });

  it('stores the IBAN without spaces, in upper case', async () => {
    const iban = ' de02 1203\u00a00000 0000 2020 51 ';
    expect((await ana.patch(PATH, { iban })).body.data.iban).toBe('DE02120300000000202051');
  });

  it('changes the currency of what comes next, and of nothing that is there', async () => {
    const bea = await given.user({ currency: 'USD' });
    const product = await given.product(bea);
    const { status, body } = await bea.patch(PATH, { currency: 'eur' });
    expect([status, body.data.currency]).toEqual([200, 'EUR']);
    expect((await bea.get('/v1/me')).body.data.currency).toBe('EUR');
    const cara = await given.user({ organization: bea.organization });
    expect((await given.product(cara)).currency).toBe('EUR');
    expect((await bea.get(`/products/${product.id}`)).body.data.currency).toBe('USD');
  });

  it('changes the currency of the very next invoice, of whoever is busy too', async () => {
    const bea = await given.user({ currency: 'USD' });
    const { id: clientId } = await given.client(bea);
    // The more calls, the more of them have what the first one learned of the organization.
    for (let i = 0; i < 20; i++) await bea.get('/v1/me');
    await bea.patch(PATH, { currency: 'EUR' });
    expect((await given.invoice(bea, { clientId })).currency).toBe('EUR');
  });

  it('keeps the currency from the first invoice on that is sent, also once that is void', async () => {
    const bea = await given.user({ currency: 'USD' });
    await given.invoice(bea);
    expect((await bea.patch(PATH, { currency: 'CHF' })).status).toBe(200);
    const { id } = await given.sentInvoice(bea);
    await bea.post(`/invoices/${id}/void`);
    const { status, body } = await bea.patch(PATH, { currency: 'EUR', city: 'Bonn' });
    expect({ status, code: body.code, path: body.errors[0].path }).toEqual({
      status: 409,
      code: 'currency_in_use',
      path: 'currency',
    });
    expect(await present(bea)).toMatchObject({ currency: 'CHF', city: null });
    expect((await bea.patch(PATH, { currency: 'CHF', city: 'Bonn' })).body.data.city).toBe('Bonn');
  });

  it('keeps all of many concurrent changes to different members', async () => {
    const bea = await given.user();
    const changes = [{ name: randomUUID() }, { phone: '1' }, { city: 'C' }, { region: 'R' }, { locale: 'da' }];
    const replies = await Promise.all(changes.map((change) => bea.patch(PATH, change)));
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await present(bea)).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('another name of the organization', () => {
  const rename = (by: User, name: string) => by.patch(PATH, { name });

  it('is unique, whatever its case and the spaces in and around it', async () => {
    const [ana, eve] = [await given.user(), await given.user()];
    const unique = randomUUID();
    await rename(ana, `Straße  ${unique} Inc`);
    const before = await present(eve);
    const name = `\tstrasse \u00a0\n ${unique.toUpperCase()}   inc `;
    const reply = await eve.patch(PATH, { name, city: 'Bonn' });
    expect(reply.status).toBe(409);
    expect(reply.body.code).toBe('organization_name_taken');
    const message = 'Another organization has this name.';
    expect(reply.body.errors).toEqual([{ path: 'name', message, code: 'organization_name_taken' }]);
    expect(await present(eve)).toEqual(before);
    expect((await rename(eve, `Straße${unique} Inc`)).status).toBe(200);
  });
});
