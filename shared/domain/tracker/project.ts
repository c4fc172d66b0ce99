import { type Metadata, type MetadataChanges, mergedMetadata, NO_METADATA } from '#shared/domain/metadata.ts';
import { type Decimal, formatMinor, minorAsNumber } from '#shared/domain/money.ts';
import type { Owner } from '#shared/domain/owner.ts';
import { revised } from '#shared/domain/revised.ts';
import type { TimeRounding } from '#shared/domain/time-rounding.ts';
import type { UserRate } from './project-terms.ts';

export const BILLING_MODES = ['hourly', 'fixed', 'non_billable'] as const;

type BillingMode = (typeof BILLING_MODES)[number];

export const PROJECT_STATUSES = ['in_progress', 'completed', 'archived'] as const;

export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export interface ProjectFields {
  readonly id: string;
  readonly organizationId: string;
  readonly clientId: string | null;
  readonly name: string;
  readonly code: string | null;
  readonly description: string | null;
  readonly externalRef: string | null;
  readonly billingMode: BillingMode;
  readonly billable: boolean;
  readonly defaultRate: Decimal | null;
  readonly userRates: readonly UserRate[];
  readonly currency: string;
  readonly rounding: TimeRounding | null;
  readonly estimateHours: number | null;
  readonly status: ProjectStatus;
  readonly color: string | null;
  readonly tags: readonly string[];
  readonly assignedUserIds: readonly string[];
  readonly metadata: Metadata;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The sums over all time. Each change of an entry keeps them exact. */
export interface ProjectTotals {
  readonly totalMinutes: number;
  readonly billableMinutes: number;
  readonly billedMinutes: number;
  readonly amountsMinor: Readonly<Record<string, bigint>>;
}

export interface Project extends ProjectFields {
  readonly totals: ProjectTotals;
}

type Settings = Omit<
  ProjectFields,
  'id' | 'organizationId' | 'defaultRate' | 'currency' | 'metadata' | 'createdAt' | 'updatedAt'
> & {
  readonly metadata?: MetadataChanges;
  readonly rate?: Decimal | null;
  /** Another name of `rate`. */
  readonly defaultRate?: Decimal | null;
};

export type ProjectDraft = Settings & { readonly currency?: string };

export type ProjectChanges = Partial<Settings & Pick<ProjectFields, 'currency'>>;

export function newProject(
  { rate, defaultRate = null, ...draft }: ProjectDraft,
  owner: Omit<Owner, 'userId'>,
  id: string,
  now: Date,
): Project {
  return {
    ...draft,
    id,
    organizationId: owner.organizationId,
    defaultRate: rate === undefined ? defaultRate : rate,
    metadata: mergedMetadata(NO_METADATA, draft.metadata),
    currency: draft.currency ?? owner.currency,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    totals: { totalMinutes: 0, billableMinutes: 0, billedMinutes: 0, amountsMinor: {} },
  };
}

/** A new rate applies to future entries; existing ones keep theirs. */
export function reviseProject<P extends Project>(
  project: P,
  { rate, defaultRate = project.defaultRate, metadata: facts, ...changes }: ProjectChanges,
  now: Date,
): P {
  const rateNow = rate === undefined ? defaultRate : rate;
  const metadata = mergedMetadata(project.metadata, facts);
  return revised(project, { ...project, ...changes, defaultRate: rateNow, metadata }, now);
}

/** Amounts in different currencies are never added up. */
export function presentProject({ totals, ...fields }: Project) {
  const { totalMinutes, billableMinutes, billedMinutes, amountsMinor } = totals;
  return {
    ...fields,
    totalMinutes,
    billableMinutes,
    billedMinutes,
    totalAmount: minorAsNumber(amountsMinor[fields.currency] ?? 0n, fields.currency),
    amountsByCurrency: Object.entries(amountsMinor)
      .filter(([, minor]) => minor !== 0n)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, minor]) => ({ currency, amount: formatMinor(minor, currency) })),
  };
}
