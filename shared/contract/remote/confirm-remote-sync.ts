import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { list } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import {
  EXAMPLE_JOB_ID,
  importedCount,
  importJobId,
  skippedCount,
  updatedCount,
} from '#shared/contract/remote/import.ts';
import { MAX_ROWS, mappingInput, rowInput } from '#shared/contract/remote/rows.ts';
import { importWeight } from '#shared/contract/weight.ts';

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
