import * as v from 'valibot';
import { count } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { LOGO_TYPES } from '#shared/domain/organization/logo.ts';

export const LOGO_PATH = '/v1/organization/logo';

export const logo = component('Logo', 'What the picture is.', {
  contentType: described(v.picklist(LOGO_TYPES), 'The type of the picture.'),
  width: described(count, 'Its width in pixels, as it is shown.'),
  height: described(count, 'Its height in pixels, as it is shown.'),
});
