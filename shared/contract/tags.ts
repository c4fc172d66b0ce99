import * as v from 'valibot';
import { list, trimmedText } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { distinctTags, MAX_TAG_CHARACTERS, MAX_TAGS } from '#shared/domain/tracker/tags.ts';

export const tag = trimmedText(MAX_TAG_CHARACTERS);

export const tags = described(
  v.pipe(
    list(tag, MAX_TAGS),
    v.transform((sent) => distinctTags(sent)),
  ),
  'Words to sort work by. Of those that are equal in any case, the first stays.',
);
