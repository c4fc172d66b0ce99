import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { described } from '#shared/contract/meaning.ts';
import {
  ABOUT_IMPORTS,
  confirmation,
  EXAMPLE_JOB_ID,
  exampleConfirmation,
  exampleMappings,
  exampleRow,
  importJobId,
  reviewedRows,
} from '#shared/contract/remote/import.ts';
import { importWeight } from '#shared/contract/weight.ts';

const confirmBody = v.object({
  ...reviewedRows,
  updateChanged: described(
    v.optional(v.boolean(), false),
    'True: a row that has changed at the provider updates its entry, unless that is invoiced: then the row is held back until the entry is free (`heldBackCount` in the history). False skips the row.',
  ),
});

export const confirmRemoteSync = defineEndpoint({
  operationId: 'confirmRemoteSync',
  method: 'POST',
  path: '/v1/work/tracker/remote/sync/confirm',
  area: 'remote',
  summary: 'Import reviewed rows',
  description: [
    'Each row is imported once, however often it is sent. It is recognized by its `externalId`, or without one by its whole content and its place among equal rows.',
    ...ABOUT_IMPORTS,
  ].join('\n\n'),
  waitsForOthers: true,
  scope: 'tracker:remote',
  weight: importWeight,
  body: confirmBody,
  bodyMebibytes: 32,
  // Mappings have the names of any projects and clients. The guard would also take 48 ms for 10,000 rows instead of 5.
  bodyTakesAnyNames: true,
  events: ['import.started', 'entries.imported', 'import.imported', 'import.failed'],
  response: { kind: 'work', schema: confirmation },
  problems: ['import_failed', 'invalid_import', 'not_found'],
  problemMembers: { invalid_import: { importJobId: { schema: importJobId, example: EXAMPLE_JOB_ID } } },
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {
    body: {
      rows: [exampleRow],
      ...exampleMappings,
    },
    response: exampleConfirmation,
  },
});
