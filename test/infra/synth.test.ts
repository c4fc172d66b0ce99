import { describe, expect, it } from 'vitest';
import { ensureSynthesized } from '#scripts/synth.ts';

describe('ensureSynthesized', () => {
  it('does nothing when no source has changed', async () => {
    const assembly = await ensureSynthesized();
    const startedAt = performance.now();
    expect(await ensureSynthesized()).toBe(assembly);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
