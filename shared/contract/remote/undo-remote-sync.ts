import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { count } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { EXAMPLE_JOB_ID, importJobId } from '#shared/contract/remote/import.ts';
import { importJob } from '#shared/contract/remote/import-job.ts';
import { undoWeight } from '#shared/contract/weight.ts';

const undoing = component('ImportUndoing', 'The result of an undo.', {
  importJobId,
  removedCount: described(count, 'Entries that are removed, or would be.'),
  keptInvoicedCount: described(count, 'Entries that stay because an invoice has them.'),
  keptEditedCount: described(count, 'Entries that stay because they were edited since.'),
  keptLockedCount: described(count, 'Other entries that stay because their date is in the closed period.'),
});

export const undoRemoteSync = defineEndpoint({
  operationId: 'undoRemoteSync',
  method: 'POST',
  path: '/v1/work/tracker/remote/sync/history/{id}/undo',
  of: importJob,
  area: 'remote',
  summary: 'Undo an import',
  description: [
    'Removes the entries that the import made, unless they were invoiced or edited since, or are in the closed period. Its rows can then be imported again. Entries that it only updated stay as they are.',
    'An interrupted undo goes on when it is sent again. One whose time was not enough for all entries is a `temporarily_unavailable` that says how many it has removed, and goes on likewise. While a request is putting an entry on an invoice, the problem is `invoicing_in_progress` with `Retry-After`.',
  ].join('\n\n'),
  scope: 'tracker:remote',
  weight: undoWeight,
  query: v.object({
    dryRun: described(v.optional(v.boolean(), false), 'True only counts what would be removed.'),
  }),
  events: ['entries.removed', 'import.undone'],
  response: { kind: 'resource', status: 200, schema: undoing },
  problems: ['import_not_undoable', 'invoicing_in_progress'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {
    response: {
      importJobId: EXAMPLE_JOB_ID,
      removedCount: 1,
      keptInvoicedCount: 0,
      keptEditedCount: 0,
      keptLockedCount: 0,
    },
  },
});
