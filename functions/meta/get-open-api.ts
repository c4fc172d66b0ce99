import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getOpenApi } from '#shared/contract/meta/meta.ts';
import { implementPublic } from '#shared/http/implement-public.ts';

/**
 * The build makes this file from the route table. A function that built the document itself would hold the whole
 * contract, and load longer than any other.
 */
const openApi = join(import.meta.dirname, 'assets', 'openapi.json');

/** GET /openapi.json: the interface as an OpenAPI 3.1 document. */
export const handler = implementPublic(getOpenApi, async () => ({
  contentType: 'application/json',
  body: await readFile(openApi, 'utf8'),
  headers: { 'cache-control': 'public, max-age=300' },
}));
