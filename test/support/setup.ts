import { inject } from 'vitest';

Object.assign(process.env, inject('operatorEnvironment'), {
  POWERTOOLS_SERVICE_NAME: 'billwright',
  LOG_LEVEL: 'SILENT',
});
