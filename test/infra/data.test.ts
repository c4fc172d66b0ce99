import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ensureSynthesized } from '#scripts/synth.ts';

describe('what must outlive everything', async () => {
  const folder = await ensureSynthesized();
  const contentOf = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const data = Template.fromJSON(contentOf('billwright-data.template.json'));
  const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };

  it('is a table that grows with its load, and is kept', () => {
    data.allResources('AWS::DynamoDB::GlobalTable', { ...kept, Properties: { BillingMode: 'PAY_PER_REQUEST' } });
    data.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
  });

  it('is in a stack that nobody deletes by mistake', () => {
    const { artifacts } = contentOf('manifest.json');
    expect(artifacts['billwright-data'].properties.terminationProtection).toBe(true);
  });

  it('is a key that rotates and is kept', () => {
    data.allResources('AWS::KMS::Key', { ...kept, Properties: { EnableKeyRotation: true } });
    data.resourceCountIs('AWS::KMS::Key', 1);
  });
});
