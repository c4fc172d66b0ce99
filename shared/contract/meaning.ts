import * as v from 'valibot';

/** Each meaning is told once, for the reference. */

/** Goes around `optional` and `nullable`: inside, a description behind a transformation would be lost. */
export function described<const Schema extends v.GenericSchema>(schema: Schema, meaning: string) {
  return v.pipe(schema, v.description(meaning));
}

export function nullableText(meaning: string) {
  return described(v.nullable(v.string()), meaning);
}

/** An object that the document and its clients call by the title. */
export function component<const Entries extends v.ObjectEntries>(title: string, meaning: string, entries: Entries) {
  return v.pipe(v.object(entries), v.description(meaning), v.title(title));
}

interface Explained<Input> extends v.BaseMetadata<Input> {
  readonly type: 'explained';
  readonly by: v.ObjectEntries;
}

/** In the pipe of a body: its members take the descriptions of the resource, unless they have their own. */
export function explainedBy<Input>({ entries }: { readonly entries: v.ObjectEntries }): Explained<Input> {
  return { kind: 'metadata', type: 'explained', reference: explainedBy, by: entries };
}

/** A body whose members are explained by the resource. */
export function explained<const Entries extends v.ObjectEntries>(
  by: { readonly entries: v.ObjectEntries },
  entries: Entries,
) {
  return v.pipe(v.object(entries), explainedBy(by));
}

export function isExplained(action: { readonly type: string }): action is Explained<unknown> {
  return action.type === 'explained';
}
