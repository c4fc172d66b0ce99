import * as v from 'valibot';
import { hasAny, type Metadata, NO_METADATA } from '#shared/domain/metadata.ts';
import { ROUNDING_MODES, ROUNDING_STEPS } from '#shared/domain/time-rounding.ts';

/** Members of rows. A row declares its own, whatever the API calls them or requires of them. */

function membersOf<Name extends string, Schema extends v.GenericSchema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

export function texts<Name extends string>(...names: readonly Name[]) {
  return membersOf(names, v.string());
}

export function nullableTexts<Name extends string>(...names: readonly Name[]) {
  return membersOf(names, v.nullable(v.string()));
}

/** DynamoDB has no empty set. */
export const textSet = v.pipe(
  v.optional(v.set(v.string()), new Set<string>()),
  v.transform((set) => [...set]),
);

/** No answer could show a day that does not exist, so none is stored. */
const day = v.pipe(v.string(), v.isoDate());

export function days<Name extends string>(...names: readonly Name[]) {
  return membersOf(names, day);
}

export function nullableDays<Name extends string>(...names: readonly Name[]) {
  return membersOf(names, v.nullable(day));
}

/** Details that clients and organizations have alike. */
export const details = {
  ...nullableTexts('addressLine1', 'addressLine2', 'city', 'region', 'postalCode', 'countryCode'),
  ...nullableTexts('email', 'phone', 'website', 'taxNumber', 'vatNumber'),
  electronicAddress: v.nullable(v.object(texts('scheme', 'id'))),
};

export const timeRounding = v.object({
  minutes: v.picklist(ROUNDING_STEPS),
  mode: v.picklist(ROUNDING_MODES),
  minimumMinutes: v.number(),
});

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null;

const ofTexts = v.custom<Metadata>(isMap);

/** A text as it is stored, since a map of DynamoDB has no `__proto__`. */
export const metadata = v.optional(v.union([v.pipe(v.string(), v.parseJson(), ofTexts), ofTexts]), NO_METADATA);

/** An item without metadata has no attribute for them. */
export function metadataAttribute(of: Metadata): { readonly metadata?: string } {
  return hasAny(of) ? { metadata: JSON.stringify(of) } : {};
}
