/**
 * How much is measured. `full` gives figures to quote. `sample` shows in a few minutes that every part works;
 * its times say nothing.
 */
export type Effort = 'sample' | 'full';

/** @param sample the flag `--sample` */
export function effortOf({ sample = false }: { readonly sample?: boolean }): Effort {
  return sample ? 'sample' : 'full';
}
