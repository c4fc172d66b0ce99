import { expect, it } from 'vitest';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';
import { Client } from '#test/support/client.ts';

it('answers the document of the route table, without a key', async () => {
  const { body } = await new Client().get('/openapi.json');
  expect(body).toEqual(openApiDocument(routes));
});
