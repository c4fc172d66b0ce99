import { linkMe } from '#shared/contract/organization/link-me.ts';
import { implement } from '#shared/http/implement.ts';
import { acceptInvitation } from '#shared/work/organization/accept-invitation.ts';

/** POST /v1/me/link: links the person who has signed in to the user whose invitation has the code. */
export const handler = implement(linkMe, ({ person, body, now, answer }) =>
  acceptInvitation(person, body.code, now, answer),
);
