import { getDocsAsset } from '#shared/contract/meta/get-docs-asset.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { staticFile } from '#shared/http/static-file.ts';

/** GET /docs/{asset}: a script or style sheet of the reference page. Its name holds a hash of its content. */
export const handler = implementPublic(getDocsAsset, ({ params }) =>
  staticFile(params.asset, {
    contentType: `text/${params.asset.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  }),
);
