import * as v from 'valibot';
import { inOrderOfNames, MAX_NAMES, type Metadata } from '#shared/domain/metadata.ts';
import { isMap, TEXT_PATTERN, text } from './fields.ts';
import { described } from './meaning.ts';
import { type JsonSchemaFragment, rule } from './rule.ts';

const NAME = /^[A-Za-z0-9_.-]{1,40}$/;

const MAX_CHARACTERS = 500;

const value = text(0, MAX_CHARACTERS);

/** All names may go while as many come. */
const MAX_CHANGES = 2 * MAX_NAMES;

type Changes = Readonly<Record<string, string | null>>;

const mapOf = (type: string | readonly string[]): JsonSchemaFragment => ({
  type: 'object',
  propertyNames: { pattern: NAME.source },
  additionalProperties: { type, maxLength: MAX_CHARACTERS, pattern: TEXT_PATTERN },
});

/** `mergedMetadata` counts the names and bytes that there are after a change. */
export const metadata = v.nullable(
  v.pipe(
    v.custom<Changes>(isMap, 'Expected an object.'),
    rule(
      'metadata',
      `names of 1 to 40 characters of A-Z a-z 0-9 _ . - and texts of at most ${MAX_CHARACTERS} characters, or null`,
      mapOf(['string', 'null']),
      (sent: Changes) =>
        Object.entries(sent).every(([name, each]) => NAME.test(name) && (each === null || v.is(value, each))),
    ),
    rule(
      'length',
      `at most ${MAX_CHANGES} names`,
      { maxProperties: MAX_CHANGES },
      (sent: Changes) => Object.keys(sent).length <= MAX_CHANGES,
    ),
  ),
);

const map = v.custom<Metadata>(isMap, 'Expected an object.');

const inOrder: typeof map = {
  ...map,
  '~run'(dataset, config) {
    const checked = map['~run'](dataset, config);
    return checked.typed ? { ...checked, value: inOrderOfNames(checked.value) } : checked;
  },
};

export const shownMetadata = described(
  v.pipe(
    inOrder,
    rule('metadata', 'an object of texts', { ...mapOf('string'), maxProperties: MAX_NAMES }, () => true),
  ),
  `Facts of other systems: at most ${MAX_NAMES} texts by name, 8 KB of JSON in all. Nothing prints, searches or copies them. A change merges by name: null removes a name, and in place of the object all.`,
);
