/**
 * What must be true of a resource whenever it is read again to be changed (`versioned.ts`), by the resource as it was
 * read first. Somebody else may have changed it meanwhile.
 */
const demands = new WeakMap<object, (current: object) => Promise<void>>();

/** @param check throws where the resource is not as somebody demands */
export function demand(resource: object, check: (current: object) => Promise<void>): void {
  demands.set(resource, check);
}

/** Checks what is demanded of a resource, as it is now. @param seen as it was read first */
export async function checkDemand(seen: object, current: object): Promise<void> {
  await demands.get(seen)?.(current);
}
