import { getOpenApi } from '#shared/contract/meta.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';

/** It cannot change while the function lives. */
const body = JSON.stringify(openApiDocument(routes));

/** GET /openapi.json: the interface as an OpenAPI 3.1 document. */
export const handler = implementPublic(getOpenApi, async () => ({
  contentType: 'application/json',
  body,
  headers: { 'cache-control': 'public, max-age=300' },
}));
