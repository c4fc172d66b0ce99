import type { RoutePlan } from './plans/apis.ts';

/** How an HTTP API picks the route of a request: the most specific path that matches, then `$default`. */

export interface RouteMatch {
  readonly route: RoutePlan;
  /** Decoded; undefined for a route without parameters. */
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** Lower is more specific. */
const SPECIFICITY = { literal: 0, parameter: 1, greedy: 2 } as const;

interface Segment {
  readonly kind: keyof typeof SPECIFICITY;
  /** The text itself, or the parameter's name. */
  readonly text: string;
}

interface CompiledRoute {
  readonly route: RoutePlan;
  /** Undefined for `ANY`. */
  readonly method?: string;
  readonly segments: readonly Segment[];
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

  /**
   * Takes the path as it was sent.
   *
   * @throws URIError if the path's encoding is broken
   */
  match(method: string, path: string): RouteMatch | undefined {
    const segments = path.split('/').slice(1).map(decodeURIComponent);
    for (const candidate of this.#routes) {
      if (candidate.method !== undefined && candidate.method !== method) continue;
      const pathParameters = parametersOf(candidate.segments, segments);
      if (!pathParameters) continue;
      const hasParameters = Object.keys(pathParameters).length > 0;
      return hasParameters ? { route: candidate.route, pathParameters } : { route: candidate.route };
    }
    return this.#default && { route: this.#default };
  }

  has(method: string): boolean {
    return this.#routes.some((route) => route.method === method);
  }
}

function compile(route: RoutePlan): CompiledRoute {
  const [method = '', path = ''] = route.routeKey.split(' ');
  return { route, method: method === 'ANY' ? undefined : method, segments: path.split('/').slice(1).map(segmentOf) };
}

function segmentOf(text: string): Segment {
  const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(text) ?? [];
  if (name === undefined) return { kind: 'literal', text };
  return { kind: plus ? 'greedy' : 'parameter', text: name };
}

/**
 * Sorting needs one order of all routes, even of routes that no path matches together. If one route ends before
 * another, the longer route is more specific.
 */
function mostSpecificFirst(a: CompiledRoute, b: CompiledRoute): number {
  for (let index = 0; index < Math.max(a.segments.length, b.segments.length); index++) {
    const difference = specificityAt(a, index) - specificityAt(b, index);
    if (difference !== 0) return difference;
  }
  return Number(a.method === undefined) - Number(b.method === undefined);
}

function specificityAt({ segments }: CompiledRoute, index: number): number {
  const segment = segments[index];
  return segment ? SPECIFICITY[segment.kind] : Object.keys(SPECIFICITY).length;
}

/** The values of the parameters if the path matches, else undefined. An empty segment is not a value. */
function parametersOf(pattern: readonly Segment[], path: readonly string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, { kind, text }] of pattern.entries()) {
    const segment = path[index];
    if (segment === undefined || segment === '') return undefined;
    if (kind === 'greedy') return { ...parameters, [text]: path.slice(index).join('/') };
    if (kind === 'parameter') parameters[text] = segment;
    else if (segment !== text) return undefined;
  }
  return pattern.length === path.length ? parameters : undefined;
}
