import type { Organization } from './organization.ts';

export const ORGANIZATION_STATUSES = ['active', 'deleting'] as const;

export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

/**
 * Until all that had begun before a deletion has ended, and can write no more: a function holds a key for some seconds,
 * and its request takes up to 29 s then; a sync takes a minute.
 */
export const QUIET_SECONDS = 90;

/** Longer than all deliveries of the worker's message take together. */
const LEASE_SECONDS = 30 * 60;

/** When the items of an organization may go whose deletion begins now. */
export const quietFrom = (now: Date): string => plusSeconds(now, QUIET_SECONDS);

/** When somebody else goes on with a deletion that is begun to be worked on now. */
export const leaseEnd = (now: Date): string => plusSeconds(now, LEASE_SECONDS);

const plusSeconds = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1_000).toISOString();

/** A deletion that was asked for already stays as it is. */
export function deletionOf<O extends Organization & { readonly status: OrganizationStatus }>(
  organization: O,
  now: Date,
): O {
  if (organization.status === 'deleting') return organization;
  return { ...organization, status: 'deleting', updatedAt: now.toISOString() };
}
