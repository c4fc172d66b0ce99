import { methodsOf } from '#shared/contract/path.ts';
import { Problem } from '#shared/domain/problems.ts';
import { httpStack } from '#shared/http/stack.ts';
import { routes } from '#shared/routes.ts';

/** $default: what no route of the table takes: a path that exists answers 405 with `Allow`, any other 404. */
export const handler = httpStack('unmatchedRoute').handler((event) => {
  const allow = methodsOf(event.rawPath, routes).join(', ');
  if (!allow) throw new Problem('route_not_found', { detail: 'See /openapi.json for the paths that exist.' });
  throw new Problem('method_not_allowed', { detail: `The path answers ${allow}.`, headers: { Allow: allow } });
});
