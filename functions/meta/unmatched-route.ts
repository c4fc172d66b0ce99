import { methodsOf } from '#shared/contract/path.ts';
import { Problem } from '#shared/domain/problems.ts';
import { httpStack } from '#shared/http/stack.ts';
import { routes } from '#shared/routes.ts';

/**
 * $default: what no route of the table takes: a path that exists answers 405 with `Allow`, any other 404. A path that only looks like one
 * that answers the method, since it comes decoded, is such another: `/docs%2Freference.js` is one segment, and not `/docs/reference.js`.
 */
export const handler = httpStack('unmatchedRoute').handler(({ rawPath = '', requestContext }) => {
  const methods: readonly string[] = methodsOf(rawPath, routes);
  const allow = methods.includes(requestContext?.http?.method ?? '') ? '' : methods.join(', ');
  if (!allow) throw new Problem('route_not_found', { detail: 'See /openapi.json for the paths that exist.' });
  throw new Problem('method_not_allowed', { detail: `The path answers ${allow}.`, headers: { Allow: allow } });
});
