import { beforeAll, describe, expect, it } from 'vitest';
import { filled } from '#test/support/filled.ts';
import { given, type User } from '#test/support/given.ts';

describe('POST /products', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('answers the whole product, with the defaults of what was left out', async () => {
    const reply = await ana.post('/products', { name: 'Consulting', price: '19.90' });
    expect(reply.status).toBe(201);
    expect(filled(reply.body.data)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Consulting',
      description: '',
      price: '19.90',
      currency: 'USD',
      unit: '',
      isActive: true,
      usageCount: 0,
      metadata: {},
      userId: ana.userId,
      organizationId: ana.organization.id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: reply.body.data.createdAt,
    });
  });

  it('gives decimals back to the letter', async () => {
    for (const price of ['0', '19.90', '0.000001', '999999999999.999999', '007.50']) {
      expect((await given.product(ana, { price, taxRate: '7.70' })).price).toBe(price);
    }
  });
});
