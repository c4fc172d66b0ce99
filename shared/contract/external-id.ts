import * as v from 'valibot';
import { trimmedText, uuid } from './fields.ts';
import { described, nullableText } from './meaning.ts';

/** The id that another system has given to a product, a client or an invoice. */

const MAX_CHARACTERS = 255;

export const externalId = v.nullable(trimmedText(MAX_CHARACTERS));

export function shownExternalId(kind: string) {
  return nullableText(`The id of the ${kind} in another system, which no other ${kind} has; null without one.`);
}

export function ofExternalId(kind: string) {
  return v.optional(
    v.pipe(
      trimmedText(MAX_CHARACTERS),
      v.description(`Only the ${kind} with exactly this external id. It is found at once.`),
      v.examples(['crm-4711']),
    ),
  );
}

/** What the problem `external_id_taken` tells beside its fault. */
export const EXTERNAL_ID_TAKEN = {
  external_id_taken: {
    holderId: {
      schema: described(uuid, 'The id of the object that has the external id.'),
      example: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
    },
  },
};
