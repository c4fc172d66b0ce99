import { expect, it } from 'vitest';
import { assertNotFailed, newImport } from '#shared/domain/remote/import-job.ts';

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
