import { getProblem } from '#shared/contract/meta/get-problem.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { staticFile } from '#shared/http/static-file.ts';
import { REFERENCE_CONTENT_SECURITY_POLICY } from '#shared/openapi/page/security-policy.ts';

/** GET /problems/{code}: a problem and its remedy, as a page. */
export const handler = implementPublic(getProblem, ({ params }) =>
  staticFile(`${params.code}.html`, {
    contentType: 'text/html; charset=utf-8',
    // The page names its style sheet by content: an old page could ask for one that is gone.
    headers: { 'cache-control': 'no-cache', 'content-security-policy': REFERENCE_CONTENT_SECURITY_POLICY },
  }),
);
