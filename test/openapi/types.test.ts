import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('everything compiles, and so does what uses the client that is generated from the OpenAPI document', {
  timeout: 120_000,
}, async () => {
  const complaints = await new Promise((resolve) => {
    execFile('npm', ['run', '--silent', 'types'], { cwd: root }, (error, stdout, stderr) =>
      resolve(error ? stdout + stderr + error.message : ''),
    );
  });
  expect(complaints).toBe('');
});
