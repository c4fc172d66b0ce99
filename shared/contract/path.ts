import { type Endpoint, type Method, parameterNames } from './endpoint.ts';

/** The router in front of the handlers prefers plain text to parameters, and so do these functions. */

function pathPattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** The methods of the matching template with the fewest parameters. */
export function methodsOf(path: string, routes: readonly Endpoint[]): Method[] {
  const matching = routes.filter((route) => pathPattern(route.path).test(path));
  const fewest = Math.min(...matching.map((route) => parameterNames(route.path).length));
  return matching.filter((route) => parameterNames(route.path).length === fewest).map(({ method }) => method);
}

const PREFIX = /^\/v1(?:\/work(?:\/tracker)?)?(?=\/)/;

/** The path that a caller may mean who has its prefix wrong: `/clients` for `/v1/clients`. */
export function meantPath(path: string, routes: readonly Endpoint[]): string | undefined {
  const wanted = path.replace(PREFIX, '').replace(/\/$/, '');
  return routes
    .filter((route) => pathPattern(route.path.replace(PREFIX, '')).test(wanted))
    .toSorted((a, b) => parameterNames(a.path).length - parameterNames(b.path).length)
    .at(0)?.path;
}

/**
 * The router would take `PATCH /products/search` for `PATCH /products/{id}`. Such methods need routes of their own to
 * be answered with a 405.
 */
export function shadowedMethods(routes: readonly Endpoint[]): { readonly path: string; readonly method: Method }[] {
  const plainPaths = [...new Set(routes.map(({ path }) => path))].filter((path) => parameterNames(path).length === 0);
  return plainPaths.flatMap((path) => {
    const own = methodsOf(path, routes);
    const matching = routes.filter((route) => pathPattern(route.path).test(path)).map(({ method }) => method);
    return matching.filter((method) => !own.includes(method)).map((method) => ({ path, method }));
  });
}
