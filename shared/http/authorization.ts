import { type Endpoint, type GuardedEndpoint, isOfPlatform, needsAdmin } from '#shared/contract/endpoint.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { assertNamed, assertOfOrganization, assertScope, refuseKey } from '#shared/domain/keys/api-key.ts';
import { assertAdmin, assertYours } from '#shared/domain/role.ts';
import { namedOrganization, type Step } from './exchange.ts';

/** Requires that a key names no other organization than its own, the scope of the operation, and the role that it needs. */
export function authorization(endpoint: GuardedEndpoint): Step {
  return {
    before: (request) => {
      const { principal } = request.internal;
      if (!principal) {
        // A person who acts as no user has no scopes.
        if (isOfPlatform(endpoint.scope)) assertScope([], endpoint.scope);
        return;
      }
      assertNamed(principal, namedOrganization(request));
      if (endpoint.takesKeys === false) refuseKey();
      if (endpoint.scope === 'any') assertOfOrganization(principal);
      else assertScope(principal.scopes, endpoint.scope);
      if (needsAdmin(endpoint)) assertAdmin(principal);
    },
  };
}

/** @param sent a resource, or a body @throws Problem `not_yours` if a member would write what is another user's */
export function assertOwn({ members }: Endpoint, principal: Principal, sent: object): void {
  if (members === 'own' && 'userId' in sent) assertYours(principal, sent.userId);
}
