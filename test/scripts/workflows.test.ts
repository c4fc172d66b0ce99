import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The commands of the workflows are run by tests; `npm run lint` checks the rest of these files. */

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');

const workflows = globSync('*.yml', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));

/** By command, the test that runs it. The check is all tests. */
const RUN_BY: Readonly<Record<string, string>> = {
  '.ci/run': '.ci/run',
  'npm ci': '.ci/run',
  'npm run check:static': 'package.json',
  'npm run deploy -- --stage "$STAGE" --yes': 'test/scripts/deploy.test.ts',
  '.ci/smoke "dist/stages/$STAGE-outputs.json"': 'test/scripts/tour.test.ts',
};

describe('the workflows', () => {
  const commands = workflows.flatMap((text) =>
    [...text.matchAll(/^ *- run: (.+)$/gm)].map(([, command = '']) => command),
  );

  it('run nothing but what tests run', () => {
    expect(new Set(commands)).toEqual(new Set(Object.keys(RUN_BY)));
    for (const file of Object.values(RUN_BY)) expect(existsSync(join(root, file))).toBe(true);
    expect(workflows.join('\n')).not.toMatch(/run: [|>]/);
  });

  it('hold no secret: AWS trusts the environment of the stage', () => {
    for (const text of workflows) expect(text).not.toMatch(/secrets\.|access-key/);
    const deploy = workflows.filter((text) => text.includes('aws-actions/configure-aws-credentials'));
    expect(deploy).toHaveLength(1);
    expect(deploy[0]).toContain('id-token: write');
    // A branch runs only the check, which may only read.
    const onAnyBranch = workflows.filter((text) => text.includes('branches-ignore: [main]'));
    expect(onAnyBranch).toHaveLength(1);
    expect(onAnyBranch[0]).not.toContain('id-token');
  });
});
