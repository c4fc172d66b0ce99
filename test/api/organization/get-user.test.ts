import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('GET /v1/users/{id}', () => {
  it('shows a user, also a removed one, whose name stays', async () => {
    const ana = await given.user();
    const bea = await given.colleague(ana, { name: 'Bea', email: 'bea@acme.example' });
    const path = `/v1/users/${bea.id}`;
    expect((await ana.get(path)).body).toEqual({ data: bea });
    await ana.delete(path);
    const { status, body } = await ana.get(path);
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...bea, status: 'removed', updatedAt: expect.any(String) });
  });
});
