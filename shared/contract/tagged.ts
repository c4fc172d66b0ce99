import * as v from 'valibot';

/**
 * Marks the schema of a resource that can be patched, in its pipe. Wherever one such resource is the answer, the answer
 * has an `ETag`; where one is changed or deleted, `If-Match` names the tag that it must have.
 */
/* @__NO_SIDE_EFFECTS__ */
export function tagged<Input>() {
  return v.metadata<Input, { isTagged: true }>({ isTagged: true });
}

export function isTagged(schema: v.GenericSchema): boolean {
  return v.getMetadata(schema).isTagged === true;
}
