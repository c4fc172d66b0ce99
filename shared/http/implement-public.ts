import type { Endpoint } from '#shared/contract/endpoint.ts';
import { redirection } from './redirection.ts';
import { endpointStack, type HttpHandler, type Run } from './stack.ts';

type PublicEndpoint = Endpoint & { readonly scope: null };

/** For an endpoint that needs no key. Such a function reads nothing of an organization. */
export function implementPublic<const E extends PublicEndpoint>(endpoint: E, run: Run<E, undefined>): HttpHandler {
  const { page } = endpoint;
  return endpointStack(endpoint, { run }, { authenticates: page === undefined ? [] : [redirection(page)] });
}
