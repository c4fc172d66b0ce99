/**
 * How much is measured: `full` gives figures to quote; `sample` shows in a few minutes that every part works, and its times say nothing; `large` is
 * `full` with a million entries among the sizes.
 */
export type Effort = 'sample' | 'full' | 'large';

export function effortOf(flags: readonly string[]): Effort {
  if (flags.includes('--sample')) return 'sample';
  return flags.includes('--large') ? 'large' : 'full';
}
