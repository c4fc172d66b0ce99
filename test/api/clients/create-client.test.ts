import { beforeAll, describe, expect, it } from 'vitest';
import { filled } from '#test/support/filled.ts';
import { given, type User } from '#test/support/given.ts';

describe('POST /clients', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('answers the whole client, with null for what was left out', async () => {
    const reply = await ana.post('/clients', { name: 'Northwind Traders' });
    expect(reply.status).toBe(201);
    expect(filled(reply.body.data)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Northwind Traders',
      metadata: {},
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: reply.body.data.createdAt,
    });
  });
});
