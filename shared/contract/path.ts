import { type Endpoint, type Method, parameterNames } from './endpoint.ts';

/** How the paths of the route table relate to each other. The gateway prefers text to parameters, and so does this. */

/** Matches every concrete path of a template. */
function pathPattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** The methods that a concrete path accepts: those of the matching template with the fewest parameters. */
export function methodsOf(path: string, routes: readonly Endpoint[]): Method[] {
  const matching = routes.filter((route) => pathPattern(route.path).test(path));
  const fewest = Math.min(...matching.map((route) => parameterNames(route.path).length));
  return matching.filter((route) => parameterNames(route.path).length === fewest).map(({ method }) => method);
}

/**
 * Methods that a plain-text path lacks, and that the gateway would route to a path with a parameter in its place:
 * `PATCH /products/search` would reach `PATCH /products/{id}`. These methods need routes of their own to be
 * answered with a 405.
 */
export function shadowedMethods(routes: readonly Endpoint[]): { readonly path: string; readonly method: Method }[] {
  const plainPaths = [...new Set(routes.map(({ path }) => path))].filter((path) => parameterNames(path).length === 0);
  return plainPaths.flatMap((path) => {
    const own = methodsOf(path, routes);
    const matching = routes.filter((route) => pathPattern(route.path).test(path)).map(({ method }) => method);
    return matching.filter((method) => !own.includes(method)).map((method) => ({ path, method }));
  });
}
