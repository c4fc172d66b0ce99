import * as v from 'valibot';
import { count, list, uuid } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { MAX_ROWS, mappingInput, rowInput } from '#shared/contract/remote/rows.ts';

export const importJobId = described(uuid, 'The id of the import, as in the history.');

export const importedCount = described(count, 'Rows that have made an entry.');

export const updatedCount = described(count, 'Rows that have changed an existing entry.');

export const skippedCount = described(
  count,
  'Rows that did nothing. Imported, updated, skipped and invalid rows finally add up to all rows.',
);

export const lockedCount = described(
  count,
  'Skipped rows that would have made or changed an entry in the closed period of the organization. Once the period is open again, the next scheduled sync reads such days at the provider again, of the last 90. Rows of another source are to be sent again then.',
);

export const EXAMPLE_JOB_ID = '019aa2f4-9c00-7b1d-a6c3-8d2e4f5a6b7c';

/** Whatever brings the rows. */
export const reviewedRows = {
  rows: described(v.pipe(list(rowInput, MAX_ROWS), v.minLength(1)), 'The rows to import: at least one.'),
  clientMapping: described(
    v.optional(mappingInput, {}),
    'The id of the client that each name in the rows stands for; null: none.',
  ),
  projectMapping: described(
    v.optional(mappingInput, {}),
    'The id of the project that each name in the rows stands for; null: none.',
  ),
  userMapping: described(
    v.optional(mappingInput, {}),
    'The id of the active user that each name in the rows stands for. Rows of another name, of none or of one that stands for null belong to the caller.',
  ),
};

export const confirmation = component('ImportConfirmation', 'The result of an import.', {
  importJobId,
  status: described(
    v.picklist(['processing', 'imported']),
    '`processing`: the import goes on, and the counts are those so far.',
  ),
  importedCount,
  updatedCount,
  skippedCount,
  lockedCount,
});

export const exampleRow = {
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
  tags: ['design'],
};

export const exampleMappings = {
  clientMapping: { 'Northwind Traders': '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b' },
  projectMapping: { Website: null },
  userMapping: { 'Ada Byron': '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f' },
};

/** A whole processor, for ten thousand rows. */
export const MEMORY_MEGABYTES = 1_769;

export const exampleConfirmation = {
  importJobId: EXAMPLE_JOB_ID,
  status: 'imported',
  importedCount: 1,
  updatedCount: 0,
  skippedCount: 0,
  lockedCount: 0,
} as const;

export const ABOUT_IMPORTS = [
  'The response waits for the import. If that takes too long, it is a 202 with the counts so far: get the import from the history until it has ended.',
  'If a row or mapping breaks a rule, nothing is imported: the problem lists the first 100 faults, and the history has the import as failed. Names of clients and projects without a mapping are imported without a link; rows of users without one belong to the caller.',
  'Bodies may be gzipped. They have at most 10,000 rows, 6 MB as sent and 32 MiB unpacked.',
];
