import type { Decimal } from '#shared/domain/money.ts';
import { fault } from '#shared/domain/problems.ts';

export interface ProjectTerms {
  readonly id: string;
  readonly clientId: string | null;
  readonly defaultRate: Decimal | null;
  readonly currency: string;
}

interface Price {
  readonly rate: Decimal | null;
  readonly currency: string;
}

/** An explicit rate wins, even 0 or none. The project's rate applies only in the project's currency. */
export function priceOf(
  wanted: { readonly rate?: Decimal | null; readonly currency?: string },
  project: ProjectTerms | null,
  organizationCurrency: string,
): Price {
  const currency = wanted.currency ?? project?.currency ?? organizationCurrency;
  const inherited = project?.currency === currency ? project.defaultRate : null;
  return { rate: wanted.rate === undefined ? inherited : wanted.rate, currency };
}

/** Undefined keeps a link, null removes it. */
export interface WantedLinks {
  readonly projectId?: string | null;
  readonly clientId?: string | null;
  readonly userId?: string;
}

export function assertSameClient(clientId: string | null, project: ProjectTerms | null): void {
  if (!clientId || !project?.clientId || clientId === project.clientId) return;
  throw fault('client_mismatch', 'clientId', 'The project belongs to another client.');
}
