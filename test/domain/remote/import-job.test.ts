import { expect, it } from 'vitest';
import {
  assertNotFailed,
  assertUndoable,
  newImport,
  overdueAt,
  presentImport,
  presentProgress,
  refusedImport,
  rowsToUndo,
} from '#shared/domain/remote/import-job.ts';

const asked = {
  id: 'job',
  organizationId: 'home',
  userId: 'ana',
  keyId: null,
  accountId: 'account',
  origin: null,
  trigger: 'confirm',
  updateChanged: true,
  totalCount: 9,
  unitCount: 2,
} as const;
const begun = newImport(asked, 1, new Date(0));
const job = { ...begun, importedCount: 3, updatedCount: 2 };

it('an import has done nothing at its beginning, but for the rows that it has twice', () => {
  const at = '1970-01-01T00:00:00.000Z';
  const none = { invalidCount: 0, importedCount: 0, updatedCount: 0, heldBackCount: 0, lockedCount: 0 };
  const open = { status: 'processing', doneUnitCount: 0, createdAt: at, updatedAt: at, completedAt: null };
  expect(begun).toEqual({ ...asked, ...none, ...open, dedupedCount: 1 });
  const refused = { status: 'failed', invalidCount: 4, completedAt: at };
  expect(refusedImport(begun, 4)).toEqual({ ...begun, ...refused });
});

it('an import has skipped what it has met so far while it is open, and in the end all that is left', () => {
  const open = { ...job, invalidCount: 1, lockedCount: 2 };
  const counts = { importedCount: 3, updatedCount: 2, lockedCount: 2 };
  const progress = (status: 'processing' | 'imported', skippedCount: number) => ({
    isDone: status === 'imported',
    data: { importJobId: 'job', status, ...counts, skippedCount },
  });
  expect(presentProgress({ ...open, totalCount: 20 })).toEqual(progress('processing', 3));
  for (const status of ['imported', 'undone'] as const) {
    expect(presentProgress({ ...open, totalCount: 20, status })).toEqual(progress('imported', 14));
  }
  expect(presentImport({ ...open, totalCount: 20, status: 'imported' })).toMatchObject({
    rowCountTotal: 20,
    rowCountValid: 19,
    rowCountInvalid: 1,
    rowCountDeduped: 1,
    skippedCount: 14,
    startedAt: '1970-01-01T00:00:00.000Z',
  });
});

it('an import that has failed says how many of its rows made or changed an entry', () => {
  expect(() => assertNotFailed(job)).not.toThrow();
  expect(() => assertNotFailed({ ...job, status: 'failed' })).toThrow(' 5 of 9 rows');
});

it('an open import is given up ten minutes after its beginning while it is sent, and a day after it from then on', () => {
  expect(overdueAt(job, 'sending')).toBe('1970-01-01T00:10:00.000Z');
  expect(overdueAt(job, 'sent')).toBe('1970-01-02T00:00:00.000Z');
});

it('an import is undone once, after its end, and weighs its rows', () => {
  for (const status of ['imported', 'failed'] as const) {
    expect(() => assertUndoable({ ...job, status })).not.toThrow();
    expect(rowsToUndo({ ...job, status })).toBe(9);
  }
  for (const [status, message] of [
    ['processing', 'The import has not ended yet.'],
    ['undone', 'The import was undone before.'],
  ] as const) {
    const refused = expect.objectContaining({ code: 'import_not_undoable', message });
    expect(() => assertUndoable({ ...job, status })).toThrow(refused);
    expect(rowsToUndo({ ...job, status })).toBe(0);
  }
});
