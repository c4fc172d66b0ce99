import * as v from 'valibot';

/** What the members of bodies and responses mean, for the reference. Each meaning is told once. */

/** Put it around `optional` and `nullable`. Inside of them, a description behind a transformation would be lost. */
/* @__NO_SIDE_EFFECTS__ */
export function described<const Schema extends v.GenericSchema>(schema: Schema, meaning: string) {
  return v.pipe(schema, v.description(meaning));
}

/** A text of a response that may be null. */
/* @__NO_SIDE_EFFECTS__ */
export function told(meaning: string) {
  return described(v.nullable(v.string()), meaning);
}

interface Explained<Input> extends v.BaseMetadata<Input> {
  readonly type: 'explained';
  readonly by: v.ObjectEntries;
}

/**
 * Stands in the pipe of a body: its members mean what those of the same name in the resource mean. One that has a
 * description of its own keeps it.
 */
/* @__NO_SIDE_EFFECTS__ */
export function explainedBy<Input>({ entries }: { readonly entries: v.ObjectEntries }): Explained<Input> {
  return { kind: 'metadata', type: 'explained', reference: explainedBy, by: entries };
}

export function isExplained(action: { readonly type: string }): action is Explained<unknown> {
  return action.type === 'explained';
}
