import { removeUser } from '#shared/contract/organization/remove-user.ts';
import { readUser } from '#shared/data/organization/users.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';
import { withdraw } from '#shared/work/organization/withdraw.ts';

/** DELETE /v1/users/{id}: ends what a user can do. What it made stays. */
export const handler = implement(removeUser, {
  load: ({ params, principal }) => readUser(principal.organizationId, params.id),
  run: ({ principal, now, fresh, answer }) =>
    retrying(fresh, async (user) => {
      const others = await answer(user.id, happening('user.removed', user));
      await withdraw(principal.organizationId, user, now, others);
      return user.id;
    }),
});
