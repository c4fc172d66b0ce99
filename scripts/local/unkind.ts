import type { BootOptions } from './cloud.ts';

/** Lambda ends instances when it likes. Code must not depend on what it keeps in an instance. */
export const endsInstance = (): boolean => Math.random() < 0.005;

/** AWS at its worst, beyond what the local cloud always does. */
export const UNKIND: Partial<BootOptions> = { endsInstance };
