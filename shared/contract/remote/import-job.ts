import * as v from 'valibot';
import { count, createdAt, timestamp, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import {
  EXAMPLE_JOB_ID,
  importedCount,
  lockedCount,
  skippedCount,
  updatedCount,
} from '#shared/contract/remote/import.ts';
import { resource } from '#shared/contract/tagged.ts';
import { IMPORT_STATUSES, IMPORT_TRIGGERS } from '#shared/domain/remote/import-job.ts';

const heldBackCount = described(
  count,
  'Skipped rows that would have changed an entry which an invoice has. Once the entry is free, the next scheduled sync reads its day at the provider again, and updates it. Rows of another source are to be sent again then.',
);

export const importJob = resource(
  'ImportJob',
  'One import: of a confirm, of the scheduled sync, or of rows of another source.',
  {
    id: described(uuid, 'The id of the import.'),
    status: described(v.picklist(IMPORT_STATUSES), 'Whether the import goes on, has ended, has failed, or was undone.'),
    trigger: described(
      v.picklist(IMPORT_TRIGGERS),
      'What began it: a confirm, the scheduled sync, or rows of another source.',
    ),
    origin: nullableText('The source of the rows, as their sender names it; null: the provider.'),
    rowCountTotal: described(count, 'All rows that were sent.'),
    rowCountValid: described(count, 'Rows that break no rule.'),
    rowCountInvalid: described(count, 'Rows that break a rule: then nothing was imported.'),
    rowCountDeduped: described(count, 'Rows that were twice in the request, or had been imported before.'),
    importedCount,
    updatedCount,
    skippedCount,
    heldBackCount,
    lockedCount,
    startedAt: described(timestamp, 'When it began.'),
    completedAt: described(v.nullable(timestamp), 'When it ended; null while it goes on.'),
    createdAt,
    updatedAt,
  },
);

export const exampleImportJob = {
  id: EXAMPLE_JOB_ID,
  status: 'imported',
  trigger: 'confirm',
  origin: null,
  rowCountTotal: 1,
  rowCountValid: 1,
  rowCountInvalid: 0,
  rowCountDeduped: 0,
  importedCount: 1,
  updatedCount: 0,
  skippedCount: 0,
  heldBackCount: 0,
  lockedCount: 0,
  startedAt: '2026-11-20T09:30:00.000Z',
  completedAt: '2026-11-20T09:30:01.000Z',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:01.000Z',
};
