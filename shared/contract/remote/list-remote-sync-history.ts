import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset } from '#shared/contract/fields.ts';
import { EXAMPLE_JOB_ID } from '#shared/contract/remote/import.ts';
import { importJob } from '#shared/contract/remote/import-job.ts';

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
    },
  },
});
