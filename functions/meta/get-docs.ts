import { getDocs } from '#shared/contract/meta/meta.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { REFERENCE_CONTENT_SECURITY_POLICY, referencePage } from '#shared/openapi/reference-page.ts';

/** GET /docs: the reference as an interactive page, which loads nothing from other hosts. */
export const handler = implementPublic(getDocs, async () => ({
  contentType: 'text/html; charset=utf-8',
  body: referencePage,
  headers: {
    'cache-control': 'public, max-age=300',
    'content-security-policy': REFERENCE_CONTENT_SECURITY_POLICY,
  },
}));
