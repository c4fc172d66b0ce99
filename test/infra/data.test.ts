import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ensureSynthesized } from '#scripts/synth.ts';
import { realStacks } from './stacks.ts';

describe('what must outlive everything', async () => {
  const stacks = await realStacks();
  const folder = await ensureSynthesized();
  const template = v.parse(
    v.object({
      Resources: v.record(
        v.string(),
        v.object({
          Type: v.string(),
          DeletionPolicy: v.optional(v.string()),
          UpdateReplacePolicy: v.optional(v.string()),
        }),
      ),
    }),
    JSON.parse(await readFile(join(folder, 'billwright-data.template.json'), 'utf8')),
  );
  const fates = (type: string) =>
    Object.values(template.Resources)
      .filter(({ Type }) => Type === type)
      .map(({ DeletionPolicy, UpdateReplacePolicy }) => [DeletionPolicy, UpdateReplacePolicy]);

  it('is a table that grows with its load, and is kept', () => {
    const onDemand = v.object({ BillingMode: v.literal('PAY_PER_REQUEST') });
    expect(stacks.ofType('AWS::DynamoDB::GlobalTable', onDemand)).toHaveLength(1);
    expect(fates('AWS::DynamoDB::GlobalTable')).toEqual([['RetainExceptOnCreate', 'Retain']]);
  });

  it('is in a stack that nobody deletes by mistake', async () => {
    const stack = v.object({ terminationProtection: v.optional(v.boolean(), false) });
    const manifest = v.object({ artifacts: v.looseObject({ 'billwright-data': v.object({ properties: stack }) }) });
    const { artifacts } = v.parse(manifest, JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
    expect(artifacts['billwright-data'].properties.terminationProtection).toBe(true);
  });

  it('is a key that rotates and is kept', () => {
    const rotating = v.object({ EnableKeyRotation: v.literal(true) });
    expect(stacks.ofType('AWS::KMS::Key', rotating)).toHaveLength(1);
    expect(fates('AWS::KMS::Key')).toEqual([['RetainExceptOnCreate', 'Retain']]);
  });
});
