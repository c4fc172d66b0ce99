import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('GET /products/{id}', () => {
  it.each(['not-a-uuid', randomUUID(), '%00', '..%2f..%2fetc', '%F0%9F%98%80'])('answers 404 for %s', async (id) => {
    const ana = await given.user();
    const reply = await ana.get(`/products/${id}`);
    expect(reply.status).toBe(404);
    expect(reply.body.code).toBe('not_found');
  });
});
