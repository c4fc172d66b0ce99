import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleImportJob, importJob } from '#shared/contract/remote/import-job.ts';

export const getRemoteSync = defineEndpoint({
  operationId: 'getRemoteSync',
  method: 'GET',
  path: '/v1/work/tracker/remote/sync/history/{id}',
  area: 'remote',
  summary: 'Get an import',
  description:
    'As the history has it, without a connection, too. Poll it while the import goes on. An undo takes its tag.',
  scope: 'tracker:remote',
  response: { kind: 'resource', status: 200, schema: importJob },
  example: { response: exampleImportJob },
});
