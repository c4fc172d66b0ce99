import { isLocked, type LockedThrough } from '#shared/domain/lock.ts';
import { type Metadata, NO_METADATA } from '#shared/domain/metadata.ts';
import { formatMinor } from '#shared/domain/money.ts';
import { amountMinorOf, ENTRY_SOURCES, type Entry } from './entry.ts';
import { type Holds, invoiceOf } from './hold.ts';
import { hoursOf, midnightOf } from './work-time.ts';

export const BILLING_STATUSES = ['non_billable', 'unbilled', 'invoiced'] as const;

export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** A linked project or client that is missing here is gone. */
export interface LinkNames {
  readonly projects: ReadonlyMap<string, { readonly name: string }>;
  readonly clients: ReadonlyMap<string, { readonly name: string }>;
  readonly deletedNames: ReadonlyMap<string, string>;
  readonly users: ReadonlyMap<string, { readonly name: string }>;
  readonly holds: Holds;
  readonly lockedThrough: LockedThrough;
  /** Of the entries that have some. */
  readonly metadata?: ReadonlyMap<string, Metadata>;
}

/** For an entry that is just being written, which only an open period takes, whatever was read before. */
export const UNLOCKED = { lockedThrough: null } as const satisfies Partial<LinkNames>;

/** Dead links stay in the table, and no caller sees them. */
export function withoutDeadLinks<E extends Entry>(
  entry: E,
  { projects, clients, deletedNames }: Pick<LinkNames, 'projects' | 'clients' | 'deletedNames'>,
): E {
  const { projectId, clientId } = entry;
  const hasProject = projectId !== null && projects.has(projectId);
  const hasClient = clientId !== null && clients.has(clientId);
  return {
    ...entry,
    projectId: hasProject ? projectId : null,
    clientId: hasClient ? clientId : null,
    clientLabel: clientId === null || hasClient ? entry.clientLabel : (deletedNames.get(clientId) ?? null),
  };
}

export type PresentedEntry = ReturnType<typeof presentEntry>;

export function presentEntry(stored: Entry, links: LinkNames) {
  const entry = withoutDeadLinks(stored, links);
  const client = entry.clientId === null ? undefined : links.clients.get(entry.clientId);
  const project = entry.projectId === null ? undefined : links.projects.get(entry.projectId);
  return {
    ...entry,
    // All users are known, but for those of an organization that is just being deleted.
    userName: links.users.get(entry.userId)?.name ?? '',
    userLabel: entry.imported?.userLabel ?? null,
    source: ENTRY_SOURCES.find((source) => source === entry.source) ?? 'native_tracker',
    entryDate: midnightOf(entry.entryDate),
    clientLabel: client?.name ?? entry.clientLabel,
    projectName: project?.name ?? null,
    invoiceId: invoiceOf(entry, links.holds),
    quantity: hoursOf(entry.billedMinutes),
    unit: 'hour' as const,
    amount: entry.rate === null ? null : formatMinor(amountMinorOf(entry), entry.currency),
    billingStatus: billingStatusOf(entry, links.holds),
    isLocked: isLocked(entry.entryDate, links.lockedThrough),
    metadata: links.metadata?.get(entry.id) ?? NO_METADATA,
  };
}

export function billingStatusOf(entry: Entry, holds: Holds): BillingStatus {
  if (invoiceOf(entry, holds) !== null) return 'invoiced';
  return entry.billable ? 'unbilled' : 'non_billable';
}
