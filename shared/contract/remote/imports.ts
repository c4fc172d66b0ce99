import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { count, createdAt, limit, list, offset, timestamp, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { importWeight, undoWeight } from '#shared/contract/weight.ts';
import { IMPORT_STATUSES, IMPORT_TRIGGERS } from '#shared/domain/remote/import-job.ts';
import { MAX_ROWS, mappingInput, rowInput } from './rows.ts';

const confirmBody = v.object({
  rows: described(v.pipe(list(rowInput, MAX_ROWS), v.minLength(1)), 'The rows to import: at least one.'),
  clientMapping: described(
    v.optional(mappingInput, {}),
    'The id of the client that each name at the provider stands for; null: none.',
  ),
  projectMapping: described(
    v.optional(mappingInput, {}),
    'The id of the project that each name at the provider stands for; null: none.',
  ),
  userMapping: described(
    v.optional(mappingInput, {}),
    'The id of the active user that each name at the provider stands for. Rows of another name, of none or of one that stands for null belong to the caller.',
  ),
  updateChanged: described(
    v.optional(v.boolean(), false),
    'True: a row that has changed at the provider updates its entry, unless that is invoiced: then the row is held back until the entry is free (`heldBackCount` in the history). False skips the row.',
  ),
});

const importJobId = described(uuid, 'The id of the import, as in the history.');
const importedCount = described(count, 'Rows that have made an entry.');
const updatedCount = described(count, 'Rows that have changed an existing entry.');
const skippedCount = described(
  count,
  'Rows that did nothing. Imported, updated, skipped and invalid rows finally add up to all rows.',
);

const heldBackCount = described(
  count,
  'Skipped rows that would have changed an entry which an invoice has. Once the entry is free, the next scheduled sync reads its day at the provider again, and updates it.',
);

const confirmation = v.pipe(
  v.object({
    importJobId,
    status: described(
      v.picklist(['processing', 'imported']),
      '`processing`: the import goes on, and the counts are those so far.',
    ),
    importedCount,
    updatedCount,
    skippedCount,
  }),
  v.description('The result of a confirm.'),
  v.title('ImportConfirmation'),
);

const importJob = v.pipe(
  v.object({
    id: described(uuid, 'The id of the import.'),
    status: described(v.picklist(IMPORT_STATUSES), 'Whether the import goes on, has ended, has failed, or was undone.'),
    trigger: described(v.picklist(IMPORT_TRIGGERS), 'Whether a confirm or the scheduled sync began it.'),
    rowCountTotal: described(count, 'All rows that were sent.'),
    rowCountValid: described(count, 'Rows that break no rule.'),
    rowCountInvalid: described(count, 'Rows that break a rule: then nothing was imported.'),
    rowCountDeduped: described(count, 'Rows that had been imported before.'),
    importedCount,
    updatedCount,
    skippedCount,
    heldBackCount,
    startedAt: described(timestamp, 'When it began.'),
    completedAt: described(v.nullable(timestamp), 'When it ended; null while it goes on.'),
    createdAt,
    updatedAt,
  }),
  v.description('One import: of a confirm, or of the scheduled sync.'),
  v.title('ImportJob'),
);

const undoing = v.pipe(
  v.object({
    importJobId,
    removedCount: described(count, 'Entries that are removed, or would be.'),
    keptInvoicedCount: described(count, 'Entries that stay because an invoice has them.'),
    keptEditedCount: described(count, 'Entries that stay because they were edited since.'),
  }),
  v.description('The result of an undo.'),
  v.title('ImportUndoing'),
);

const EXAMPLE_JOB_ID = '019aa2f4-9c00-7b1d-a6c3-8d2e4f5a6b7c';

const exampleRow = {
  date: '2026-11-20',
  durationMinutes: 90,
  description: 'Kick-off workshop',
  project: 'Website',
  client: 'Northwind Traders',
  user: 'Ada Byron',
  externalId: '636709355',
  billable: true,
  rate: 120,
  currency: 'USD',
};

export const confirmRemoteSync = defineEndpoint({
  operationId: 'confirmRemoteSync',
  method: 'POST',
  path: '/v1/work/tracker/remote/sync/confirm',
  area: 'remote',
  summary: 'Import reviewed rows',
  description: [
    'Each row is imported once, however often it is sent. It is recognized by its `externalId`, or without one by its whole content and its place among equal rows.',
    'The response waits for the import. If that takes too long, it is a 202 with the counts so far, and the history has the outcome.',
    'If a row or mapping breaks a rule, nothing is imported: the problem lists the first 100 faults, and the history has the import as failed. Names of clients and projects without a mapping are imported without a link; rows of users without one belong to the caller.',
    'Bodies may be gzipped. They have at most 10,000 rows, 6 MB as sent and 32 MiB unpacked.',
  ].join('\n\n'),
  waitsForOthers: true,
  scope: 'tracker:remote',
  weight: importWeight,
  body: confirmBody,
  bodyMebibytes: 32,
  // Mappings have the names of any projects and clients. The guard would also take 48 ms for 10,000 rows instead of 5.
  bodyTakesAnyNames: true,
  response: { kind: 'work', schema: confirmation },
  problems: ['import_failed', 'invalid_import', 'not_found'],
  problemMembers: { invalid_import: { importJobId: { schema: importJobId, example: EXAMPLE_JOB_ID } } },
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {
    body: {
      rows: [exampleRow],
      clientMapping: { 'Northwind Traders': '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b' },
      projectMapping: { Website: null },
      userMapping: { 'Ada Byron': '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f' },
    },
    response: { importJobId: EXAMPLE_JOB_ID, status: 'imported', importedCount: 1, updatedCount: 0, skippedCount: 0 },
  },
});

export const listRemoteSyncHistory = defineEndpoint({
  operationId: 'listRemoteSyncHistory',
  method: 'GET',
  path: '/v1/work/tracker/remote/sync/history',
  area: 'remote',
  summary: 'List imports, newest first',
  description: 'The history stays without a connection, too.',
  scope: 'tracker:remote',
  query: v.object({ limit: limit(200, 50), offset }),
  response: { kind: 'list', item: importJob },
  problems: ['range_too_large'],
  example: {
    response: {
      id: EXAMPLE_JOB_ID,
      status: 'imported',
      trigger: 'confirm',
      rowCountTotal: 1,
      rowCountValid: 1,
      rowCountInvalid: 0,
      rowCountDeduped: 0,
      importedCount: 1,
      updatedCount: 0,
      skippedCount: 0,
      heldBackCount: 0,
      startedAt: '2026-11-20T09:30:00.000Z',
      completedAt: '2026-11-20T09:30:01.000Z',
      createdAt: '2026-11-20T09:30:00.000Z',
      updatedAt: '2026-11-20T09:30:01.000Z',
    },
  },
});

export const undoRemoteSync = defineEndpoint({
  operationId: 'undoRemoteSync',
  method: 'POST',
  path: '/v1/work/tracker/remote/sync/history/{id}/undo',
  area: 'remote',
  summary: 'Undo an import',
  description: [
    'Removes the entries that the import made, unless they were invoiced or edited since. Its rows can then be imported again. Entries that it only updated stay as they are.',
    'An interrupted undo goes on when it is sent again. One whose time was not enough for all entries is a `temporarily_unavailable` that says how many it has removed, and goes on likewise. While a request is putting an entry on an invoice, the problem is `invoicing_in_progress` with `Retry-After`.',
  ].join('\n\n'),
  scope: 'tracker:remote',
  weight: undoWeight,
  query: v.object({
    dryRun: described(v.optional(v.boolean(), false), 'True only counts what would be removed.'),
  }),
  response: { kind: 'resource', status: 200, schema: undoing },
  problems: ['import_not_undoable', 'invoicing_in_progress'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: { importJobId: EXAMPLE_JOB_ID, removedCount: 1, keptInvoicedCount: 0, keptEditedCount: 0 } },
});
