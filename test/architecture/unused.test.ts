import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

it('exports nothing that no other module uses, and has no file or dependency for nobody', () => {
  const cwd = resolve(import.meta.dirname, '../..');
  const { stdout, status } = spawnSync('npx', ['--no-install', 'knip', '--no-progress'], { cwd, encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});
