import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { count, uuid } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import {
  ABOUT_IMPORTS,
  confirmation,
  EXAMPLE_JOB_ID,
  exampleConfirmation,
  exampleMappings,
  exampleRow,
  MEMORY_MEGABYTES,
  reviewedRows,
} from '#shared/contract/remote/import.ts';
import { mapping, rehearsedRow } from '#shared/contract/remote/rows.ts';
import { importWeight } from '#shared/contract/weight.ts';

const ORIGIN = /^[a-z0-9-]{1,50}$/;

const importBody = v.object({
  origin: described(
    v.pipe(v.string(), v.regex(ORIGIN)),
    'What you call the source of the rows, in 1 to 50 characters of `a-z`, `0-9` and `-`. An `externalId` is unique within it.',
  ),
  ...reviewedRows,
  updateChanged: described(
    v.optional(v.boolean(), false),
    'True: a row that differs from what was imported updates its entry, unless that is invoiced: `heldBackCount` in the history counts such rows. False skips the row.',
  ),
});

const rehearsal = component('ImportRehearsal', 'What an import would do, of a dry run.', {
  totalRows: described(count, 'All rows of the request.'),
  newRows: described(count, 'Rows that would make an entry.'),
  duplicateRows: described(
    count,
    'Rows that were imported before, or are twice in the request, including changed ones.',
  ),
  changedRows: described(count, 'Rows that were imported before, and differ now.'),
  rows: described(v.array(rehearsedRow), 'All rows, in their order.'),
  clientMapping: described(
    mapping,
    'The client that each name stands for, by id: as this request says, or beyond doubt.',
  ),
  projectMapping: described(
    mapping,
    'The project that each name stands for, by id: as this request says, or beyond doubt.',
  ),
  userMapping: described(
    mapping,
    'The active user that each name stands for, by id: as this request says, as it was imported before, else the one of an equal name.',
  ),
  unmappedClients: described(v.array(v.string()), 'Names of clients that stand for none so far.'),
  unmappedProjects: described(v.array(v.string()), 'Names of projects that stand for none so far.'),
  unmappedUsers: described(v.array(v.string()), 'Names of users that stand for none so far.'),
});

const { rate: _, currency: __, ...plainRow } = exampleRow;

export const importRows = defineEndpoint({
  operationId: 'importRows',
  method: 'POST',
  path: '/v1/work/tracker/imports',
  area: 'remote',
  summary: 'Import rows from anywhere',
  description: [
    'Imports work of any source, such as a file of another time tracker, without a connection. Each row is imported once, however often it is sent under the same `origin`. It is recognized by its `externalId`, or without one by its whole content and its place among equal rows. Rows of one origin never meet those of another, nor those of the provider.',
    'A dry run says which rows are new, and what their names stand for. It refuses what an import would, and keeps nothing. It is also refused if its response would exceed 6 MB. Send the mappings that it answers, and your own, with the import: this remembers them by `origin`.',
    ...ABOUT_IMPORTS,
  ].join('\n\n'),
  waitsForOthers: true,
  scope: 'tracker:remote',
  weight: importWeight,
  query: v.object({
    dryRun: described(v.optional(v.boolean(), false), 'True says what the import would do, and writes nothing.'),
  }),
  body: importBody,
  bodyMebibytes: 32,
  // As for a confirm.
  bodyTakesAnyNames: true,
  events: ['import.started', 'entries.imported', 'import.imported', 'import.failed'],
  response: {
    kind: 'work',
    schema: described(v.union([confirmation, rehearsal]), 'The result, or that of a dry run.'),
  },
  problems: ['import_failed', 'invalid_import'],
  problemMembers: {
    invalid_import: {
      importJobId: {
        schema: described(v.nullable(uuid), 'The id of the import, as in the history; null of a dry run.'),
        example: EXAMPLE_JOB_ID,
      },
    },
  },
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  memoryMegabytes: MEMORY_MEGABYTES,
  example: {
    body: {
      origin: 'old-tracker',
      rows: [{ ...plainRow, externalId: '1906' }],
      ...exampleMappings,
    },
    response: exampleConfirmation,
  },
});
