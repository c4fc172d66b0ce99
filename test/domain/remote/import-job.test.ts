import { expect, it } from 'vitest';
import { assertNotFailed, assertUndoable, newImport, overdueAt, rowsToUndo } from '#shared/domain/remote/import-job.ts';

const job = {
  ...newImport(
    {
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
    },
    1,
    new Date(0),
  ),
  importedCount: 3,
  updatedCount: 2,
};

it('an import that has failed says how many of its rows made or changed an entry', () => {
  expect(() => assertNotFailed(job)).not.toThrow();
  expect(() => assertNotFailed({ ...job, status: 'failed' })).toThrow(' 5 of 9 rows');
});

it('an open import is given up ten minutes after its beginning while it is sent, and a day after it from then on', () => {
  expect(overdueAt(job, 'sending')).toBe('1970-01-01T00:10:00.000Z');
  expect(overdueAt(job, 'sent')).toBe('1970-01-02T00:00:00.000Z');
});

it('an import is undone once, after its end, and weighs its rows', () => {
  const refused = expect.objectContaining({ code: 'import_not_undoable' });
  for (const status of ['imported', 'failed'] as const) {
    expect(() => assertUndoable({ ...job, status })).not.toThrow();
    expect(rowsToUndo({ ...job, status })).toBe(9);
  }
  for (const status of ['processing', 'undone'] as const) {
    expect(() => assertUndoable({ ...job, status })).toThrow(refused);
    expect(rowsToUndo({ ...job, status })).toBe(0);
  }
});
