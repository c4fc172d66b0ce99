import { fault } from '#shared/domain/problems.ts';

/** What entries and timers are linked to, and what they take from their project: its client, rate and currency. */

export interface ProjectTerms {
  readonly id: string;
  readonly clientId: string | null;
  readonly defaultRate: string | null;
  readonly currency: string;
}

interface Price {
  readonly rate: string | null;
  readonly currency: string;
}

/**
 * An explicit rate wins, even 0. Otherwise the project's default rate applies, but only in the project's own
 * currency. The currency defaults to the project's, then to the organization's.
 */
export function priceOf(
  wanted: { readonly rate?: string; readonly currency?: string },
  project: ProjectTerms | null,
  organizationCurrency: string,
): Price {
  const currency = wanted.currency ?? project?.currency ?? organizationCurrency;
  const inherited = project?.currency === currency ? project.defaultRate : null;
  return { rate: wanted.rate ?? inherited, currency };
}

/** What a body says about links: undefined leaves a link as it is, null removes it. */
export interface WantedLinks {
  readonly projectId?: string | null;
  readonly clientId?: string | null;
}

/** @throws Problem `client_mismatch` if the project belongs to another client than the entry names */
export function assertSameClient(clientId: string | null, project: ProjectTerms | null): void {
  if (!clientId || !project?.clientId || clientId === project.clientId) return;
  throw fault('client_mismatch', 'clientId', 'The project belongs to another client.');
}
