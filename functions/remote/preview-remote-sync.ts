import { previewRemoteSync } from '#shared/contract/remote/preview-remote-sync.ts';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { readToday } from '#shared/data/organization/time-zones.ts';
import { readConfidentMappings } from '#shared/data/remote/confident-mappings.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { readHeldBack } from '#shared/data/remote/held-back.ts';
import { readImported } from '#shared/data/remote/imported-entries.ts';
import { decryptToken } from '#shared/data/remote/secrets.ts';
import { preview, previewRange } from '#shared/domain/remote/preview.ts';
import { identifyRows } from '#shared/domain/remote/row.ts';
import { implement } from '#shared/http/implement.ts';
import { provider } from '#shared/remote/harvest.ts';
import { answerOf } from '#shared/remote/problems.ts';
import { deadlineAfter } from '#shared/remote/provider.ts';

/** Leaves the function time to look up ten thousand entries. */
const PROVIDER_MILLISECONDS = 20_000;

/** POST /v1/work/tracker/remote/sync/preview: shows what a confirm would do with the remote entries. Writes nothing. */
export const handler = implement(previewRemoteSync, {
  load: ({ principal }) => getConnection(principal.organizationId),
  run: async ({ body, principal, resource: { accountId, visibility, encryptedToken }, now, pay }) => {
    const { organizationId } = principal;
    const range = previewRange(body, body.dateTo ?? (await readToday(organizationId, now)));
    const credential = { accountId, accessToken: await decryptToken(organizationId, encryptedToken) };
    const fetched = await answerOf(provider.fetchRows(credential, range, deadlineAfter(PROVIDER_MILLISECONDS)));
    const rows = identifyRows(fetched.rows, { organizationId, accountId });
    const entryIds = rows.map(({ entryId }) => entryId);
    const directory = readDirectory(organizationId);
    const [{ ofRows, ofRange }, heldBack, mappings, { lockedThrough }] = await Promise.all([
      readImported(organizationId, accountId, range, entryIds, pay),
      readHeldBack({ organizationId, accountId }),
      readConfidentMappings(organizationId, accountId, rows, directory),
      directory,
    ]);
    const known = { stored: ofRows, imported: ofRange, heldBack, lockedThrough, mappings, visibility };
    return preview(range, { ...fetched, rows }, known);
  },
});
