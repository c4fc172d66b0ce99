import type { BootOptions } from './cloud.ts';
import { AWS_LIMITS } from './throughput.ts';

/** What AWS may do at its worst, beyond what the local cloud always does. */

/** Far more than usual, and AWS promises nothing. */
const MAXIMUM_INDEX_DELAY_MILLISECONDS = 1_500;

/** A read that must be fresh and asks an index is then seen to fail. */
export const indexDelayMilliseconds = (): number => Math.random() * MAXIMUM_INDEX_DELAY_MILLISECONDS;

/** Lambda ends instances when it likes: what is kept in one must not be missed. */
export const endsInstance = (): boolean => Math.random() < 0.005;

export const UNKIND: Partial<BootOptions> = { indexDelayMilliseconds, endsInstance, throughputLimits: AWS_LIMITS };
