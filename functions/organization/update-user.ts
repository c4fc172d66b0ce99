import { updateUser } from '#shared/contract/organization/update-user.ts';
import { readUser, saveUser } from '#shared/data/organization/users.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { reviseUser } from '#shared/domain/organization/users.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /v1/users/{id}: changes the members that are sent and no others. */
export const handler = implement(updateUser, {
  load: ({ params, principal }) => readUser(principal.organizationId, params.id),
  run: ({ body, principal, now, fresh, answer }) =>
    retrying(fresh, async (user) => {
      const changed = reviseUser(user, body, now);
      const others = await answer(changed, happening('user.updated', changed));
      await saveUser(principal.organizationId, user, changed, others);
      return changed;
    }),
});
