import { expect, it } from 'vitest';
import { assertSettings } from '#infra/config.ts';
import { realStacks } from './stacks.ts';

it('no stage has the setting by which deliveries reach this machine, and none can have it', async () => {
  for (const setting of ['allowsLoopback', 'ALLOWS_LOOPBACK']) expect(() => assertSettings([setting])).toThrow(setting);
  const { blueprint } = await realStacks();
  const names = blueprint.functions.flatMap(({ environment }) => Object.keys(environment));
  expect(names).not.toContain('ALLOWS_LOOPBACK');
});
