import { getOpenApi } from '#shared/contract/meta/meta.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { staticFile } from '#shared/http/static-file.ts';

/**
 * GET /openapi.json: the interface as an OpenAPI 3.1 document. The build makes the document from the route table. A
 * function that built it itself would hold the whole contract, and load longer than any other.
 */
export const handler = implementPublic(getOpenApi, () =>
  staticFile('openapi.json', {
    contentType: 'application/json',
    headers: { 'cache-control': 'public, max-age=300' },
  }),
);
