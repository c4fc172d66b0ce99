import * as v from 'valibot';

/** Items without their nulls, which would be paid for with each read and write, once more in each index. */

type Sparse<Value> = Value extends readonly (infer Element)[]
  ? Sparse<Element>[]
  : Value extends object
    ? { [Member in keyof Value]?: Sparse<NonNullable<Value[Member]>> }
    : Value;

/** @param value of plain objects and arrays, at any depth */
export function withoutNulls<Value>(value: Value): Sparse<Value>;
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutNulls(element));
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Reads an object that was written without its nulls. */
export function sparse<const Entries extends v.ObjectEntries>({ entries }: { readonly entries: Entries }) {
  const nullable = Object.entries(entries).filter(([, entry]) => v.is(entry, null));
  const nulls = Object.fromEntries(nullable.map(([name]) => [name, null]));
  return v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((present): unknown => ({ ...nulls, ...present })),
    v.object(entries),
  );
}
