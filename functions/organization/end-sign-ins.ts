import { endSignIns } from '#shared/contract/organization/end-sign-ins.ts';
import { readUser, saveUser } from '#shared/data/organization/users.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { endSignIns as withoutSignIns } from '#shared/domain/organization/users.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /v1/users/{id}/sign-ins: ends the links of people who have signed in as the user. */
export const handler = implement(endSignIns, {
  load: ({ params, principal }) => readUser(principal.organizationId, params.id),
  run: ({ principal, now, fresh, answer }) =>
    retrying(fresh, async (user) => {
      const others = await answer(user.id, happening('user.updated', user));
      await saveUser(principal.organizationId, user, withoutSignIns(user, now), others);
      return user.id;
    }),
});
