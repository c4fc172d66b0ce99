import { type Endpoint, type GuardedEndpoint, needsAdmin } from '#shared/contract/endpoint.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { assertOfOrganization, assertScope, refuseKey } from '#shared/domain/keys/api-key.ts';
import { assertAdmin, assertYours } from '#shared/domain/role.ts';
import type { Step } from './exchange.ts';

/** Requires the scope of the operation, then the role that it needs. */
export function authorization(endpoint: GuardedEndpoint): Step {
  return {
    before: ({ internal: { principal } }) => {
      if (endpoint.takesAnyPerson && !principal) return;
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
