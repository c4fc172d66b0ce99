import { expect, it } from 'vitest';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';
import { Client } from '#test/support/client.ts';

it('answers the document of the route table, without a key', async () => {
  const { status, headers, body } = await new Client().get('/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(body).toEqual(openApiDocument(routes));
});
