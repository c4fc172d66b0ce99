import type { Decimal } from '#shared/domain/money.ts';
import { fault } from '#shared/domain/problems.ts';
import type { TimeRounding } from '#shared/domain/time-rounding.ts';

export interface UserRate {
  readonly userId: string;
  readonly rate: Decimal;
}

interface Rates {
  readonly defaultRate: Decimal | null;
  /** In the currency of the project. */
  readonly userRates?: readonly UserRate[];
}

export interface ProjectTerms extends Rates {
  readonly id: string;
  readonly clientId: string | null;
  readonly currency: string;
  /** None: the organization's. */
  readonly rounding?: TimeRounding | null;
}

interface Price {
  readonly rate: Decimal | null;
  readonly currency: string;
}

export function rateFor(userId: string | null, { defaultRate, userRates = [] }: Rates): Decimal | null {
  return userRates.find((each) => each.userId === userId)?.rate ?? defaultRate;
}

/**
 * An explicit rate wins, even 0 or none. The project's rates apply only in the project's currency.
 *
 * @param userId who does the work; null: anybody
 */
export function priceOf(
  wanted: { readonly rate?: Decimal | null; readonly currency?: string },
  project: ProjectTerms | null,
  organizationCurrency: string,
  userId: string | null,
): Price {
  const currency = wanted.currency ?? project?.currency ?? organizationCurrency;
  const inherited = project?.currency === currency ? rateFor(userId, project) : null;
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
