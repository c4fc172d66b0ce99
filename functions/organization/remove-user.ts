import { removeUser } from '#shared/contract/organization/remove-user.ts';
import { readUser } from '#shared/data/organization/users.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { implement } from '#shared/http/implement.ts';
import { withdraw } from '#shared/work/organization/withdraw.ts';

/** DELETE /v1/users/{id}: ends what a user can do. What it made stays. */
export const handler = implement(removeUser, {
  load: ({ params, principal }) => readUser(principal.organizationId, params.id),
  run: ({ principal, now, fresh }) =>
    retrying(fresh, async (user) => {
      await withdraw(principal.organizationId, user, now);
      return user.id;
    }),
});
