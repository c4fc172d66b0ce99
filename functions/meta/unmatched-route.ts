import { meantPath, methodsOf } from '#shared/contract/path.ts';
import { Problem } from '#shared/domain/problems.ts';
import { httpStack } from '#shared/http/stack.ts';
import { routes } from '#shared/routes.ts';

/** $default: answers 405 with `Allow` where the path exists, else 404. An encoded slash is data. */
export const handler = httpStack('unmatchedRoute').handler(({ rawPath = '', requestContext }) => {
  const methods: readonly string[] = methodsOf(rawPath, routes);
  const allow = methods.includes(requestContext?.http?.method ?? '') ? '' : methods.join(', ');
  if (!allow) {
    const meant = meantPath(rawPath, routes);
    const detail = `${meant ? `The path is ${meant}. ` : ''}See /openapi.json for the paths that exist.`;
    throw new Problem('route_not_found', { detail });
  }
  throw new Problem('method_not_allowed', { detail: `The path answers ${allow}.`, headers: { Allow: allow } });
});
