import { getOpenApi } from '#shared/contract/meta/get-open-api.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { staticFile } from '#shared/http/static-file.ts';

/** GET /openapi.json: the interface as an OpenAPI 3.1 document. */
export const handler = implementPublic(getOpenApi, () =>
  staticFile('openapi.json', {
    contentType: 'application/json',
    headers: { 'cache-control': 'public, max-age=300' },
  }),
);
