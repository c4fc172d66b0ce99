import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getDocsAsset } from '#shared/contract/meta/meta.ts';
import { notFound } from '#shared/domain/problems.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { referenceScript, referenceStyle } from '#shared/openapi/reference-page.ts';

/** The build puts Swagger UI's files beside the bundle. */
const bundled = (name: string) => () => readFile(join(import.meta.dirname, 'assets', name), 'utf8');

const ASSETS: ReadonlyMap<string, () => Promise<string>> = new Map([
  ['swagger-ui-bundle.js', bundled('swagger-ui-bundle.js')],
  ['swagger-ui.css', bundled('swagger-ui.css')],
  ['reference.js', async () => referenceScript],
  ['reference.css', async () => referenceStyle],
]);

/** GET /docs/{asset}: a script or style sheet of the reference page. */
export const handler = implementPublic(getDocsAsset, async ({ params }) => {
  const read = ASSETS.get(params.asset);
  if (!read) throw notFound();
  return {
    contentType: `text/${params.asset.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
    body: await read(),
    headers: { 'cache-control': 'public, max-age=3600' },
  };
});
