import { formatMinor } from '#shared/domain/money.ts';
import { amountMinorOf, type Entry } from './entry.ts';
import { hoursOf, midnightOf } from './work-time.ts';

/** Work entries as callers see them: without what is gone, and with what follows from the rest. */

export const BILLING_STATUSES = ['non_billable', 'unbilled', 'invoiced'] as const;

export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** The claims that hold, by id. What a claim that is missing here had, or is still to get, shows as free. */
export type Claims = ReadonlySet<string>;

/** The names of linked objects. If a linked object is missing here, it is gone. */
export interface LinkNames {
  readonly projects: ReadonlyMap<string, { readonly name: string }>;
  readonly clients: ReadonlyMap<string, { readonly name: string }>;
  /** The names of deleted projects and clients, by id. */
  readonly deletedNames: ReadonlyMap<string, string>;
  readonly claims: Claims;
}

/**
 * The entry without links to deleted objects. A worker removes such links in the background, but from the moment of
 * deletion no caller may see them.
 */
export function withoutDeadLinks<E extends Entry>(entry: E, { projects, clients, deletedNames, claims }: LinkNames): E {
  const { projectId, clientId } = entry;
  const hasProject = projectId !== null && projects.has(projectId);
  const hasClient = clientId !== null && clients.has(clientId);
  return {
    ...withoutDeadClaim(entry, claims),
    projectId: hasProject ? projectId : null,
    clientId: hasClient ? clientId : null,
    clientLabel: clientId === null || hasClient ? entry.clientLabel : (deletedNames.get(clientId) ?? null),
  };
}

/** The entry without an invoice that was voided, deleted or never finished. A worker clears these in the background. */
export function withoutDeadClaim<E extends Entry>(entry: E, claims: Claims): E {
  const isHeld = entry.claimId !== null && claims.has(entry.claimId);
  return isHeld ? entry : { ...entry, invoiceId: null, claimId: null };
}

/** An entry as the interface shows it. `amount` is null without a rate and zero for a non-billable entry. */
export function presentEntry(stored: Entry, links: LinkNames) {
  const entry = withoutDeadLinks(stored, links);
  const client = entry.clientId === null ? undefined : links.clients.get(entry.clientId);
  const project = entry.projectId === null ? undefined : links.projects.get(entry.projectId);
  return {
    ...entry,
    entryDate: midnightOf(entry.entryDate),
    clientLabel: client?.name ?? entry.clientLabel,
    projectName: project?.name ?? null,
    quantity: hoursOf(entry.durationMinutes),
    unit: 'hour' as const,
    amount: entry.rate === null ? null : formatMinor(amountMinorOf(entry), entry.currency),
    billingStatus: billingStatusOf(entry),
  };
}

/** The status of an entry as it lies in the table, by the claims that hold. */
export function billingStatusBy(claims: Claims, entry: Entry): BillingStatus {
  return billingStatusOf(withoutDeadClaim(entry, claims));
}

function billingStatusOf({ billable, invoiceId }: Entry): BillingStatus {
  if (invoiceId !== null) return 'invoiced';
  return billable ? 'unbilled' : 'non_billable';
}
