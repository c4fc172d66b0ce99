import { describe, expect, it } from 'vitest';
import { ensureSynthesized } from '#scripts/synth.ts';

describe('ensureSynthesized', () => {
  it('does nothing when no source has changed', async () => {
    const assembly = await ensureSynthesized();
    const steps: string[] = [];
    expect(await ensureSynthesized((step) => steps.push(step))).toBe(assembly);
    expect(steps).toEqual([]);
  });
});
