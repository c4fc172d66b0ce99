import { expect, it } from 'vitest';
import { Client } from '#test/support/client.ts';

it('says that the service is up, without a key', async () => {
  const { status, body } = await new Client().get('/health');
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'ok' });
});
