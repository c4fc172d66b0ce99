import * as v from 'valibot';

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
