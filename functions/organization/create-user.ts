import { createUser } from '#shared/contract/organization/create-user.ts';
import { insertUser } from '#shared/data/organization/users.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { newUser } from '#shared/domain/organization/users.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/users: adds a user to the caller's organization. */
export const handler = implement(createUser, async ({ body, principal, now, newId, answer }) => {
  const user = newUser(body, newId(), now);
  await insertUser(principal.organizationId, user, '', await answer(user, happening('user.created', user)));
  return user;
});
