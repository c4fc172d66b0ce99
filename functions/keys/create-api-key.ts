import { createApiKey } from '#shared/contract/keys/create-api-key.ts';
import { issueApiKey } from '#shared/data/keys/api-keys.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { assertGrantable, assertHolder, grantableLimits } from '#shared/domain/keys/api-key.ts';
import { implement } from '#shared/http/implement.ts';
import { forUserNamed, type Holder } from '#shared/work/keys/named-holder.ts';

/** POST /v1/api-keys: issues a key of the caller's organization, which can do nothing that the caller cannot. */
export const handler = implement(createApiKey, async ({ body, principal, now, newId, answer }) => {
  const { name, scopes, user } = body;
  assertGrantable(scopes, principal.scopes);
  const limits = grantableLimits(body, principal, now);
  const { organizationId, familyHash, keyId: createdByKeyId, linkGeneration } = principal;
  const issueFor = ({ userId, writeWithUser }: Holder) => {
    assertHolder(userId, principal);
    const maker =
      linkGeneration === null
        ? { isOfMaker: userId === principal.userId }
        : { signedIn: { userId: principal.userId, linkGeneration } };
    const of = { organizationId, userId, writeWithUser, createdByKeyId, familyHash, ...maker };
    const made = writeWithUser ? [happening('user.created', { id: userId })] : [];
    return issueApiKey({ id: newId(), name, scopes, ...limits, ...of }, now, (issued) =>
      answer(issued, ...made, happening('api_key.created', issued)),
    );
  };
  if (user === undefined) return issueFor({ userId: body.userId ?? principal.userId });
  return forUserNamed(organizationId, user, { newId, now }, issueFor);
});
