/** The first that is true of an entry. */
export const UNUSABLE_REASONS = ['negative_duration', 'unknown_currency', 'invalid'] as const;

export type UnusableReason = (typeof UNUSABLE_REASONS)[number];

/** An entry that cannot be imported, with what the provider says of it, as far as it can be read. */
export interface UnusableEntry {
  readonly externalId: string | null;
  readonly date: string | null;
  readonly hours: number | null;
  readonly reason: UnusableReason;
}
