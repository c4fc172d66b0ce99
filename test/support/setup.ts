import { inject } from 'vitest';
import { actIn } from './api.ts';

actIn(inject('hosting'));
Object.assign(process.env, inject('operatorEnvironment'), {
  API_URL: inject('baseUrl'),
  ISSUER_DIR: inject('dataDir'),
  POWERTOOLS_SERVICE_NAME: 'billwright',
  POWERTOOLS_METRICS_DISABLED: 'true',
  LOG_LEVEL: 'SILENT',
  REMOTE_API_URL: inject('remoteApiUrl'),
});
