import { consume } from '#shared/queue/consume.ts';
import { deletionMessage } from '#shared/queue/deletion-message.ts';
import { eraseOrganization } from '#shared/work/organization/erase-organization.ts';

/** Longer than a page of items and all that it leads to take. */
const PAGE_MILLISECONDS = 30_000;

/** Queue `deletions`: removes the items of an organization, as many as its time allows. */
export const handler = consume(deletionMessage, (deletion, remainingMilliseconds) =>
  eraseOrganization(deletion, () => remainingMilliseconds() > PAGE_MILLISECONDS),
);
