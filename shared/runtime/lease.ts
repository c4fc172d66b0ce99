/**
 * For so long a running function takes for true what it has read of a caller and of its organization. Well below the 30
 * seconds within which a revoked key must stop working.
 */
export const LEASE_MILLISECONDS = 10_000;
