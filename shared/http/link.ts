import { DEFAULT_PAGE_SIZE, type PageInfo, type Window } from '#shared/domain/page.ts';

/** Each link sets these parameters itself. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(['limit', 'offset', 'first', 'last', 'after', 'before']);

/**
 * RFC 8288. References are relative to the request, so they work behind any host name.
 *
 * An empty page has no cursors. Its neighbours lie at the bounds that the request gave.
 */
export function linkHeader(path: string, query: Window, pageInfo: PageInfo): string {
  const size = query.last ?? query.first ?? DEFAULT_PAGE_SIZE;
  const { hasPreviousPage, hasNextPage, startCursor, endCursor } = pageInfo;
  const windows: Readonly<Record<string, Window | undefined>> = {
    first: { first: size },
    prev: hasPreviousPage ? { last: size, before: startCursor ?? query.before } : undefined,
    next: hasNextPage ? { first: size, after: endCursor ?? query.after } : undefined,
    last: { last: size },
  };
  const kept = Object.entries(query).filter(([name]) => !OWN_PARAMETERS.has(name));
  return Object.entries(windows)
    .filter(([, window]) => window !== undefined)
    .map(
      ([relation, window]) => `<${path}?${queryString({ ...Object.fromEntries(kept), ...window })}>; rel="${relation}"`,
    )
    .join(', ');
}

function queryString(parameters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}
