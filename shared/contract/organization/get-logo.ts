import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { LOGO_PATH } from '#shared/contract/organization/logo.ts';
import { LOGO_TYPES } from '#shared/domain/organization/logo.ts';

export const getLogo = defineEndpoint({
  operationId: 'getLogo',
  method: 'GET',
  path: LOGO_PATH,
  area: 'organization',
  summary: 'Get the logo',
  description: 'The picture as it was sent.',
  scope: 'any',
  response: { kind: 'raw', contentTypes: LOGO_TYPES },
  problems: ['not_found'],
  example: {},
});
