import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset } from '#shared/contract/fields.ts';
import { exampleImportJob, importJob } from '#shared/contract/remote/import-job.ts';

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
  example: { response: exampleImportJob },
});
