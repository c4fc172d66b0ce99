import { readInvited, readUser, saveUser } from '#shared/data/organization/users.ts';
import { linkItems, principalOf, readLink, readMemberships } from '#shared/data/sign-in/memberships.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { alreadyLinked, hashInvitationCode, invitationInvalid } from '#shared/domain/organization/invitation.ts';
import { acceptedBy } from '#shared/domain/organization/users.ts';
import type { Person } from '#shared/domain/person.ts';
import { tellWebhooks } from '#shared/queue/tell-webhooks.ts';
import { readCaller } from './me.ts';

type Caller = Awaited<ReturnType<typeof readCaller>>;

/**
 * One transaction uses the invitation up, counts the link and makes it.
 *
 * @throws Problem `invitation_invalid`, `already_linked`
 */
export function acceptInvitation(
  person: Person,
  code: string,
  now: Date,
  answer: (caller: Caller) => Promise<unknown>,
): Promise<Caller> {
  const hash = hashInvitationCode(code);
  return retrying(
    () => readInvited(hash, now),
    async ({ organizationId, userId }) => {
      // Read first, so that the transaction fails if it changes before what else is read.
      const user = await readUser(organizationId, userId);
      const [[membership], { stored, membership: held }] = await Promise.all([
        readMemberships([{ organizationId, userId }]),
        readLink(person, organizationId),
      ]);
      if (!membership || user.invitation?.hash !== hash) throw invitationInvalid();
      if (held && held.userId !== userId) throw alreadyLinked();
      const caller = await readCaller(principalOf(membership));
      await answer(caller);
      const items = held ? [] : linkItems(person, membership, stored, now);
      const accepted = acceptedBy(user, held !== undefined);
      await saveUser(organizationId, user, accepted, items).finally(() => tellWebhooks(membership));
      return caller;
    },
  );
}
