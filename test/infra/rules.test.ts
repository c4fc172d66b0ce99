import { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { ALL_SETTINGS, defineSample, inTemporaryFolder, synthesizeSample } from './sample.ts';
import { deployedStacks } from './stacks.ts';

describe.each([
  ['the service', await deployedStacks()],
  ['a service with one of everything', await synthesizeSample(ALL_SETTINGS, {})],
])('the stacks of %s', (_, stacks) => {
  it('have no finding that is not explained', () => {
    expect(stacks.findings).toEqual([]);
  });
});

describe('the rules', () => {
  it('fail the synthesis on a finding', () =>
    inTemporaryFolder(async (folder) => {
      const app = await defineSample(folder);
      new Bucket(new Stack(app, 'careless'), 'Bucket');
      expect(() => app.synth()).toThrow('AwsSolutions-S10');
    }));
});
