import { deleteOrganization } from '#shared/contract/organization/delete-organization.ts';
import { beginDeletion } from '#shared/data/organization/deletions.ts';
import { requireOrganization } from '#shared/data/organization/organizations.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { deletionOf } from '#shared/domain/organization/deletion.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /v1/organizations/{id}: ends its callers and its name at once; a worker removes all that it has. */
export const handler = implement(deleteOrganization, {
  load: ({ params }) => requireOrganization(params.id),
  run: ({ now, fresh, answer }) =>
    retrying(fresh, async (organization) => {
      const deleting = deletionOf(organization, now);
      await answer(deleting);
      await beginDeletion(organization, deleting, now);
      return deleting;
    }),
});
