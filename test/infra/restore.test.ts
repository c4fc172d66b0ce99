import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineSample, inTemporaryFolder } from './sample.ts';

/** The steps of the runbook, "Restore", on the templates of the stack that has the data. */

type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;

const RESTORED_TABLE = 'billwright-restored-20261121';

const RESTORED_KEY = 'arn:aws:kms:eu-west-1:111111111111:key/01900000-0000-4000-8000-000000000000';

/** Of the stack `data` of production, and the texts of all others. */
function templatesWith(context: Readonly<Record<string, string>>): Promise<{ data: Resources; others: string }> {
  return inTemporaryFolder(async (folder) => {
    const { stacks } = (await defineSample(folder, context)).synth();
    const data = stacks.find(({ stackName }) => stackName === 'billwright-data');
    const others = stacks.filter((stack) => stack !== data);
    return { data: data?.template.Resources, others: JSON.stringify(others.map(({ template }) => template)) };
  });
}

const [before, restored, withKey] = await Promise.all([
  templatesWith({}),
  templatesWith({ restoredTable: RESTORED_TABLE }),
  templatesWith({ restoredTable: RESTORED_TABLE, restoredKey: RESTORED_KEY }),
]);

const runbook = await readFile(join(import.meta.dirname, '../../infra/RUNBOOK.md'), 'utf8');

const idOf = (type: string) => Object.keys(before.data).find((id) => before.data[id]?.Type === type) ?? '';

describe('a restored table', () => {
  it('comes back under the same logical id by an import, which may only add, and only what may not be deleted', () => {
    const { [idOf('AWS::DynamoDB::GlobalTable')]: imported, ...rest } = before.data;
    expect(rest).toEqual(restored.data);
    expect(imported).toMatchObject({ Type: 'AWS::DynamoDB::GlobalTable', DeletionPolicy: 'RetainExceptOnCreate' });
    // A name of its own would make CloudFormation replace the table.
    expect(imported?.Properties).not.toHaveProperty('TableName');
  });

  it('is told to the import by that id and by what identifies a table', () => {
    const [, mapping = ''] = /--resource-mapping-inline "(.+)"$/m.exec(runbook) ?? [];
    expect(JSON.parse(mapping.replaceAll('\\"', '"'))).toEqual({
      [idOf('AWS::DynamoDB::GlobalTable')]: { TableName: '$RESTORED' },
    });
  });
});

describe('a restored key', () => {
  it('takes the place of the own one, for the alias and for all functions', () => {
    expect(Object.values(withKey.data).map(({ Type }) => Type)).not.toContain('AWS::KMS::Key');
    expect(withKey.data[idOf('AWS::KMS::Alias')]).toMatchObject({ Properties: { TargetKeyId: RESTORED_KEY } });
    expect(withKey.others).toContain(RESTORED_KEY);
    expect(withKey.others).not.toContain('billwright-data:ExportsOutput');
  });
});
