import type { BootOptions } from './cloud.ts';
import { AWS_LIMITS } from './throughput.ts';

/** What AWS may do at its worst, beyond what the local cloud always does. */

/** Far longer than usual, but AWS promises nothing. */
const MAXIMUM_INDEX_DELAY_MILLISECONDS = 1_500;

/** A read that must be fresh but asks an index then visibly fails. */
export const indexDelayMilliseconds = (): number => Math.random() * MAXIMUM_INDEX_DELAY_MILLISECONDS;

/** Lambda ends instances when it likes. Code must not depend on what it keeps in an instance. */
export const endsInstance = (): boolean => Math.random() < 0.005;

export const UNKIND: Partial<BootOptions> = { indexDelayMilliseconds, endsInstance, throughputLimits: AWS_LIMITS };
