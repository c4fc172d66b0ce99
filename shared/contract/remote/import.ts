import { count, uuid } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';

export const importJobId = described(uuid, 'The id of the import, as in the history.');

export const importedCount = described(count, 'Rows that have made an entry.');

export const updatedCount = described(count, 'Rows that have changed an existing entry.');

export const skippedCount = described(
  count,
  'Rows that did nothing. Imported, updated, skipped and invalid rows finally add up to all rows.',
);

export const EXAMPLE_JOB_ID = '019aa2f4-9c00-7b1d-a6c3-8d2e4f5a6b7c';
