import type { Principal } from '#shared/domain/keys/api-key.ts';
import type { EventType } from './event-types.ts';

/** What a transaction makes happen, and who acted: the writing side of events. */

/** Who acted, and how. Nobody acts where a schedule does. */
export interface Actor {
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly via: (typeof ACTING_VIA)[number];
}

export const ACTING_VIA = ['api_key', 'sign_in', 'schedule', 'platform'] as const;

export const SCHEDULE: Actor = { userId: null, keyId: null, via: 'schedule' };

/** An operator, by a script, or whoever makes an organization. */
export const PLATFORM: Actor = { userId: null, keyId: null, via: 'platform' };

/** A user, by a key or signed in. */
export function actorOf({ userId, keyId }: Pick<Principal, 'userId' | 'keyId'>): Actor {
  return { userId, keyId, via: keyId === null ? 'sign_in' : 'api_key' };
}

/** The ids of what an object belongs to. */
interface Parents {
  readonly invoiceId?: string;
  readonly projectId?: string;
  readonly clientId?: string;
}

/** What has happened to an object. It has no values: what a GET of the object answers is as new or newer. */
export interface Happening<Type extends EventType = EventType> {
  readonly type: Type;
  /** The object, with the ids of what it belongs to where the type names them. */
  readonly object: { readonly id: string } & Parents;
  /** Of `entries.imported` and `entries.removed`: at most 100. */
  readonly entryIds?: readonly string[];
}

/** By what a type of events begins with. */
const PARENTS_OF: Readonly<Record<string, readonly (keyof Parents)[]>> = {
  entry: ['projectId', 'clientId'],
  payment: ['invoiceId'],
  credit_note: ['invoiceId'],
};

/** @param written of one transaction */
export function entriesHappening<Type extends 'entries.imported' | 'entries.removed'>(
  type: Type,
  { id }: { readonly id: string },
  written: readonly { readonly id: string }[],
): Happening<Type> {
  return { type, object: { id }, entryIds: written.map((entry) => entry.id) };
}

/** @param object as the domain has it, of which the event keeps ids alone */
export function happening<Type extends EventType>(
  type: Type,
  object: { readonly id: string } & { readonly [Name in keyof Parents]?: string | null },
): Happening<Type> {
  const [kind = ''] = type.split('.');
  const named = PARENTS_OF[kind] ?? [];
  const parents = named.flatMap((name) => (object[name] ? [[name, object[name]]] : []));
  return { type, object: { id: object.id, ...Object.fromEntries(parents) } };
}
