import { createApiKey } from '#shared/contract/keys/api-keys.ts';
import { issueApiKey } from '#shared/data/keys/api-keys.ts';
import { readRoster } from '#shared/data/keys/roster.ts';
import { ensureUser, findUser } from '#shared/data/organization/users.ts';
import { assertGrantable, assertHolder, grantableLimits, type Principal } from '#shared/domain/keys/api-key.ts';
import { assertRoom } from '#shared/domain/keys/roster.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/api-keys: issues a key of the caller's organization, which can do nothing that the caller cannot. */
export const handler = implement(createApiKey, async ({ body, principal, now, newId, answer }) => {
  const { name, scopes, user } = body;
  assertGrantable(scopes, principal.scopes);
  const limits = grantableLimits(body, principal, now);
  const { organizationId, familyHash, keyId: createdByKeyId } = principal;
  const userId = user === undefined ? (body.userId ?? principal.userId) : await userNamed(user, principal, now);
  assertHolder(userId, principal);
  const { linkGeneration } = principal;
  const maker =
    linkGeneration === null
      ? { isOfMaker: userId === principal.userId }
      : { signedIn: { userId: principal.userId, linkGeneration } };
  const of = { organizationId, userId, createdByKeyId, familyHash, ...maker };
  return issueApiKey({ id: newId(), name, scopes, ...limits, ...of }, now, answer);
});

/** Checks first, so that a refused request makes no user. */
async function userNamed(name: string, caller: Principal, now: Date): Promise<string> {
  const { organizationId } = caller;
  const found = await findUser(organizationId, name);
  if (found) return found.id;
  assertHolder(undefined, caller);
  assertRoom(await readRoster(organizationId), now);
  return (await ensureUser(organizationId, name)).id;
}
