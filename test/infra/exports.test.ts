import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realStacks } from './stacks.ts';

/**
 * CloudFormation takes no export away that a stack imports, and stacks are deployed one after the other. So an export that the release before
 * imports has to stay for a release, and there are only exports of what no name tells.
 */

const stacks = (await realStacks()).assembly.stacks.map(({ template }) => template);

const exports = stacks.flatMap(({ Outputs }) => Object.values(Outputs).flatMap(({ Export }) => Export?.Name ?? []));

const imports = new Set([...JSON.stringify(stacks).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name]) => name));

/** What the templates of the last release import: to be replaced by those of now whenever a release is deployed. */
const released: string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../golden/released-imports.json'), 'utf8'),
);

describe('exports of the stacks', () => {
  it('have all that the last release imports', () => {
    expect(exports).toEqual(expect.arrayContaining(released));
  });

  it('are imported, each of them', () => {
    expect(new Set(exports)).toEqual(imports);
  });

  it('are of the table, the key and the API, whose names AWS makes', () => {
    const subjects = exports.map((name) => /:ExportsOutput(?:Ref|FnGetAtt)([A-Z][a-z]+)/.exec(String(name))?.[1]);
    expect(subjects.sort()).toEqual(['Api', 'Secrets', 'Secrets', 'Table', 'Table']);
  });
});
