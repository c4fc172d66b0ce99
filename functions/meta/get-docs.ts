import { getDocs } from '#shared/contract/meta/get-docs.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { staticFile } from '#shared/http/static-file.ts';
import { REFERENCE_CONTENT_SECURITY_POLICY } from '#shared/openapi/page/security-policy.ts';

/** GET /docs: the reference as an interactive page, which loads nothing from other hosts. */
export const handler = implementPublic(getDocs, () =>
  staticFile('docs.html', {
    contentType: 'text/html; charset=utf-8',
    // The page names its assets by content: an old page could ask for assets that are gone.
    headers: { 'cache-control': 'no-cache', 'content-security-policy': REFERENCE_CONTENT_SECURITY_POLICY },
  }),
);
