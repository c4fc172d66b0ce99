import { callerOf } from '#shared/caller/caller.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { header, namedOrganization, type Step } from './exchange.ts';

/**
 * Requires a key, or the token of a person, who must be a user unless the operation takes anybody. Takes the first
 * token, and leaves the caller.
 */
export function authentication(endpoint: Endpoint): Step {
  return {
    before: async (request) => {
      const { internal } = request;
      const { principal, person, charge } = await callerOf(
        {
          authorization: header(request, 'authorization'),
          organization: namedOrganization(request),
          now: internal.now,
          tell: (headers) => Object.assign(internal.headers, headers),
        },
        endpoint,
      );
      Object.assign(internal, { principal, person, charge });
      await charge(1);
    },
  };
}
