import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { LOGO_PATH, logo } from '#shared/contract/organization/logo.ts';
import { LOGO_WEIGHT } from '#shared/contract/weight.ts';
import { LOGO_TYPES, MAX_LOGO_BYTES } from '#shared/domain/organization/logo.ts';

export const setLogo = defineEndpoint({
  operationId: 'setLogo',
  method: 'PUT',
  path: LOGO_PATH,
  area: 'organization',
  summary: 'Set the logo',
  description: [
    'A PNG or JPEG of up to 256 KiB and 2,000 pixels a side, which is kept byte for byte. Animated pictures are refused, and so are those with a script in what is said about them, or with anything behind their end. A JPEG is baseline or progressive, with eight bits.',
    'Invoices and credit notes have it in their head, up to 60 by 20 mm. Those that were sent keep the logo that they were sent with; a draft has the present one.',
  ].join('\n\n'),
  scope: 'organization:write',
  weight: LOGO_WEIGHT,
  file: { contentTypes: LOGO_TYPES, maxBytes: MAX_LOGO_BYTES },
  events: ['organization.updated'],
  response: { kind: 'resource', status: 200, schema: logo },
  example: { response: { contentType: 'image/png', width: 600, height: 200 } },
});
