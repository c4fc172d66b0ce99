import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

describe('GET /products', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    for (const name of ['Apple pie', 'Banana split', 'Pineapple juice', 'Cherry tart', 'ÄPFEL'])
      await given.product(ana, { name });
    const retired = await given.product(ana, { name: 'Old apple' });
    await ana.patch(`/products/${retired.id}`, { isActive: false });
  });

  const names = async (query: Record<string, string | number | boolean>) => {
    const { body } = await ana.get('/products', query);
    return body.data.map(({ name }: Json) => name);
  };

  it('includes inactive products when asked', async () => {
    const { body } = await ana.get('/products', { includeInactive: true });
    expect(body.meta.total).toBe(6);
    expect(body.data[0]).toMatchObject({ name: 'Old apple', isActive: false });
    expect((await ana.get('/products', { includeInactive: false })).body.meta.total).toBe(5);
  });

  it('finds a part of the name in any case, and nothing else', async () => {
    expect(await names({ q: 'APPLE' })).toEqual(['Pineapple juice', 'Apple pie']);
    expect(await names({ q: 'äpf' })).toEqual(['ÄPFEL']);
    expect(await names({ q: 'apple', includeInactive: true })).toEqual(['Old apple', 'Pineapple juice', 'Apple pie']);
    expect(await names({ q: 'consulting' })).toEqual([]);
    expect(await names({ q: '' })).toHaveLength(5);
  });
});
