import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ensureSynthesized } from '#scripts/synth.ts';

/**
 * CloudFormation takes no export away that a stack imports, and stacks are deployed one after the other. So an export that the release before
 * imports has to stay for a release, and there are only exports of what no name tells.
 */

const template = v.object({
  Outputs: v.optional(v.record(v.string(), v.object({ Export: v.optional(v.object({ Name: v.string() })) })), {}),
});

const folder = await ensureSynthesized();
const texts = globSync('*.template.json', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));

const exports = texts
  .flatMap((text) => Object.values(v.parse(template, JSON.parse(text)).Outputs))
  .flatMap(({ Export }) => Export?.Name ?? []);

const imports = new Set(
  texts.flatMap((text) => [...text.matchAll(/"Fn::ImportValue":\s*"([^"]+)"/g)].map(([, name]) => name)),
);

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
    const subjects = exports.map((name) => /:ExportsOutput(?:Ref|FnGetAtt)([A-Z][a-z]+)/.exec(name)?.[1]);
    expect(subjects.sort()).toEqual(['Api', 'Secrets', 'Secrets', 'Table', 'Table']);
  });
});
