import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** `npm run lint` checks the rest of these files, and other tests the commands that they run. */

const folder = join(import.meta.dirname, '../../.github/workflows');

describe('the workflows', () => {
  const texts = globSync('*.yml', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));

  it('run actions of others at a commit, which nobody can move', () => {
    const actions = texts.flatMap((text) => [...text.matchAll(/uses: ((?!\.\/).+)$/gm)].map(([, action]) => action));
    expect(actions.length).toBeGreaterThan(1);
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('hold no secret: AWS trusts the environment of the stage', () => {
    for (const text of texts) expect(text).not.toMatch(/secrets\.|access-key/);
    const deploy = texts.filter((text) => text.includes('aws-actions/configure-aws-credentials'));
    expect(deploy).toHaveLength(1);
    expect(deploy[0]).toContain('id-token: write');
    // A branch, or a request to pull from a fork, runs only the check, which may only read.
    const onAnyBranch = texts.filter((text) => text.includes('branches-ignore: [main]'));
    expect(onAnyBranch).toHaveLength(1);
    expect(onAnyBranch[0]).toMatch(/pull_request:\n/);
    expect(onAnyBranch[0]).not.toContain('id-token');
    expect(texts.join('\n')).not.toContain('pull_request_target');
  });
});
