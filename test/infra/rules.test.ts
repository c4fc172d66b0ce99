import { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { defineSample, inTemporaryFolder, sampleStacks } from './sample.ts';
import { realStacks } from './stacks.ts';

const RESOURCES_PER_STACK = 500;

describe.each([
  ['the service', await realStacks()],
  ['a service with one of everything', await sampleStacks({ alarmEmail: 'oncall@example.com' })],
])('the stacks of %s', (_, stacks) => {
  it('have no finding that is not explained', () => {
    expect(stacks.findings).toEqual([]);
  });

  it('stay below the number of resources that CloudFormation takes, with half as many again to spare', () => {
    const sizes = stacks.assembly.stacks.map(({ template }) => Object.keys(template.Resources).length);
    expect(Math.max(...sizes)).toBeLessThan(RESOURCES_PER_STACK / 1.5);
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
