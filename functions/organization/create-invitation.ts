import { randomBytes } from 'node:crypto';
import { createInvitation } from '#shared/contract/organization/create-invitation.ts';
import { readUser, saveUser } from '#shared/data/organization/users.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { INVITATION_RANDOM_BYTES, newInvitation } from '#shared/domain/organization/invitation.ts';
import { inviteUser } from '#shared/domain/organization/users.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/users/{id}/invitations: makes a code that links whoever signs in with it to the user. */
export const handler = implement(createInvitation, {
  load: ({ params, principal }) => readUser(principal.organizationId, params.id),
  run: ({ principal, now, fresh, answer }) =>
    retrying(fresh, async (user) => {
      const { code, ...invitation } = newInvitation(randomBytes(INVITATION_RANDOM_BYTES), now);
      const shown = { code, expiresAt: invitation.expiresAt };
      const invited = inviteUser(user, invitation);
      await saveUser(principal.organizationId, user, invited, await answer(shown));
      return shown;
    }),
});
