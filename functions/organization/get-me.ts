import { getMe } from '#shared/contract/organization/get-me.ts';
import { implement } from '#shared/http/implement.ts';
import { readCaller } from '#shared/work/organization/me.ts';

/** GET /v1/me: the key that was sent, its user and its organization, as they are now. */
export const handler = implement(getMe, ({ principal }) => readCaller(principal));
