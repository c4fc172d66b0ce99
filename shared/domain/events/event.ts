import { assertScope } from '#shared/domain/keys/api-key.ts';
import type { AnyScope } from '#shared/domain/keys/scopes.ts';
import { fault, Problem } from '#shared/domain/problems.ts';
import { EVENT_TYPES, type EventType, OBJECT_OF_EVENT, type ObjectType } from './event-types.ts';
import type { Actor, Happening } from './happening.ts';

/** What an event can be about, and the scope that reads it. Everybody may read the organization. */
const SCOPE_OF_OBJECT = {
  product: 'products:read',
  client: 'clients:read',
  project: 'tracker:read',
  entry: 'tracker:read',
  timer: 'tracker:read',
  import: 'tracker:remote',
  remote: 'tracker:remote',
  invoice: 'invoices:read',
  payment: 'invoices:read',
  credit_note: 'invoices:read',
  user: 'tracker:read',
  api_key: 'keys:read',
  organization: null,
} as const satisfies Readonly<Record<ObjectType, AnyScope | null>>;

/** `invoice.*` stands for all types of invoices. */
export const EVENT_FAMILIES = [...new Set(EVENT_TYPES.map(familyOf))];

export interface NumberedEvent extends Happening {
  readonly id: string;
  /** From 1, in each organization. */
  readonly sequence: number;
  /** When the request began that made the change, or the step of a worker. */
  readonly timestamp: string;
  readonly actor: Actor;
}

/** A newer version may have recorded others, whose numbers pass. */
export function isKnown<Event extends { readonly type: string }>(
  event: Event,
): event is Event & Pick<Happening, 'type'> {
  return Object.hasOwn(OBJECT_OF_EVENT, event.type);
}

/** @param wanted types and families; undefined for all */
export function isWanted({ type }: Pick<Happening, 'type'>, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.includes(type) || wanted.includes(familyOf(type));
}

/** Imported entries are time and an import at once: either scope reads them. */
export function mayRead(scopes: readonly AnyScope[], { type }: Pick<Happening, 'type'>): boolean {
  const scope = SCOPE_OF_OBJECT[OBJECT_OF_EVENT[type]];
  if (scope === null || scopes.includes(scope)) return true;
  return familyOf(type) === 'entries.*' && scopes.includes('tracker:read');
}

/** @throws Problem `insufficient_scope` */
export function assertMayRead(scopes: readonly AnyScope[], event: Pick<Happening, 'type'>): void {
  const scope = SCOPE_OF_OBJECT[OBJECT_OF_EVENT[event.type]];
  if (scope !== null && !mayRead(scopes, event)) assertScope(scopes, scope);
}

/** `invoice.*` for `invoice.sent`. */
function familyOf(type: EventType): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

/** How many events there are, by type. */
export type EventCounts = Readonly<Record<string, number>>;

export function plusEvents(counts: EventCounts, events: readonly { readonly type?: unknown }[]): EventCounts {
  const sums = { ...counts };
  for (const { type } of events) sums[String(type)] = (sums[String(type)] ?? 0) + 1;
  return sums;
}

/** @param less a part of the others */
export function difference(counts: EventCounts, less: EventCounts): EventCounts {
  return Object.fromEntries(Object.entries(counts).map(([type, count]) => [type, count - (less[type] ?? 0)]));
}

/** @param oldest the number of the oldest event that is kept */
export function eventsExpired(oldest: number): Problem {
  return new Problem('events_expired', {
    detail: `The oldest event that is kept has the number ${oldest}. Begin again at the latest, then read the lists.`,
    extensions: { oldest },
  });
}

/** @param last the number of the newest event */
export function invalidSequence(last: number): Problem {
  return fault('invalid_sequence', 'after', `Expected at most ${last}, the number of the newest event.`);
}
