import { updateMe } from '#shared/contract/organization/update-me.ts';
import { saveUser } from '#shared/data/organization/users.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { reviseUser } from '#shared/domain/organization/users.ts';
import { implement } from '#shared/http/implement.ts';
import { callerAs, readCaller } from '#shared/work/organization/me.ts';

/** PATCH /v1/me: changes the members of the caller's own user that are sent and no others. */
export const handler = implement(updateMe, {
  load: ({ principal }) => readCaller(principal),
  run: ({ body, now, fresh, answer }) =>
    retrying(fresh, async (caller) => {
      const changed = reviseUser(caller.user, body, now);
      const shown = callerAs(caller, changed);
      const others = await answer(shown, happening('user.updated', changed));
      await saveUser(caller.organizationId, caller.user, changed, others);
      return shown;
    }),
});
