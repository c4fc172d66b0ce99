import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const run = promisify(execFile);

const preflight = join(import.meta.dirname, '../../scripts/preflight.js');

async function under(version: string) {
  const disguise = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  const ended = await run(process.execPath, ['--import', `data:text/javascript,${disguise}`, preflight]).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );
  return { ...ended, lines: ended.stderr.split('\n').length - 1 };
}

it.each(['18.20.4', '20.20.2', '22.12.0'])(
  'Node.js %s is refused in one line that says where to get another',
  async (version) => {
    expect(await under(version)).toEqual({
      code: 1,
      lines: 1,
      stderr: expect.stringMatching(
        /^Billwright needs Node\.js 24, .*"npm ci" installs it .*https:\/\/nodejs\.org\.\n$/,
      ),
    });
  },
);

it.each(['24.0.0', '26.1.0'])('Node.js %s is welcome', async (version) => {
  expect(await under(version)).toEqual({ code: 0, lines: 0, stderr: '' });
});

it('the first commands ask before any TypeScript is loaded', () => {
  for (const command of [manifest.scripts.start, manifest.scripts.test]) {
    expect(command).toMatch(/^node scripts\/preflight\.js && /);
  }
  expect(manifest.engines.node).toBe('>=24');
  expect(readFileSync(preflight, 'utf8')).not.toMatch(/^import|require\(/m);
});
