import type { RoutePlan } from './plans/apis.ts';

/** How an HTTP API picks the route of a request: the most specific path that matches, then `$default`. */

export interface RouteMatch {
  readonly route: RoutePlan;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

interface CompiledRoute {
  readonly route: RoutePlan;
  readonly method: string;
  readonly segments: readonly string[];
}

export class Router {
  readonly #routes: readonly CompiledRoute[];
  readonly #default: RoutePlan | undefined;

  constructor(routes: readonly RoutePlan[]) {
    this.#default = routes.find(({ routeKey }) => routeKey === '$default');
    this.#routes = routes
      .filter((route) => route !== this.#default)
      .map(compile)
      .sort(mostSpecificFirst);
  }

  /** @throws URIError if the encoding of the path is broken */
  match(method: string, path: string): RouteMatch | undefined {
    const segments = path.split('/').slice(1).map(decodeURIComponent);
    for (const candidate of this.#routes) {
      const pathParameters = candidate.method === method && parametersOf(candidate.segments, segments);
      if (!pathParameters) continue;
      const hasParameters = Object.keys(pathParameters).length > 0;
      return hasParameters ? { route: candidate.route, pathParameters } : { route: candidate.route };
    }
    return this.#default && { route: this.#default };
  }
}

function compile(route: RoutePlan): CompiledRoute {
  const [method = '', path = ''] = route.routeKey.split(' ');
  return { route, method, segments: path.split('/').slice(1) };
}

/** The name in `{name}`. */
function parameterIn(segment: string): string | undefined {
  return /^\{([^}]+)\}$/.exec(segment)?.[1];
}

/** A text comes before a parameter. Sorting needs an order of all routes, even of those that no path matches together. */
function mostSpecificFirst(one: CompiledRoute, other: CompiledRoute): number {
  const rank = ({ segments }: CompiledRoute) =>
    segments.map((segment) => (parameterIn(segment) === undefined ? '0' : '1')).join('');
  return rank(one).localeCompare(rank(other));
}

/** The values of the parameters if the path matches, else undefined. No parameter is empty. */
function parametersOf(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of path.entries()) {
    const expected = pattern[index] ?? '';
    const name = parameterIn(expected);
    if (name === undefined ? segment !== expected : segment === '') return undefined;
    if (name !== undefined) parameters[name] = segment;
  }
  return parameters;
}
