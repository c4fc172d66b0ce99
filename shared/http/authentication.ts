import { callerOf } from '#shared/caller/caller.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { header, namedOrganization, type Step } from './exchange.ts';

/** Requires a key, or the token of a person who is a user. Leaves the caller, and the headers about its rate limit. */
export function authentication(endpoint: Endpoint): Step {
  return {
    before: async (request) => {
      const { internal } = request;
      const caller = await callerOf(
        {
          authorization: header(request, 'authorization'),
          organization: namedOrganization(request),
          now: internal.now,
          tell: (headers) => Object.assign(internal.headers, headers),
        },
        endpoint,
      );
      Object.assign(internal, caller);
      await caller.charge(1);
    },
  };
}
