import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { blocksOf, scriptOf } from './shell-blocks.ts';

/**
 * `npm run smoke -- --url URL --key KEY` makes the tour (`test/TOUR.md`) after a deployment, up to the first command
 * that fails. It leaves out what only the local cloud can do, and the import if there is no remote account.
 */

const USAGE =
  'Usage: npm run smoke -- --url URL --key KEY [--remote-account ID --remote-token TOKEN]\n  The key is also read from SMOKE_KEY, the token from SMOKE_REMOTE_TOKEN.';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    key: { type: 'string', default: process.env.SMOKE_KEY },
    'remote-account': { type: 'string' },
    'remote-token': { type: 'string', default: process.env.SMOKE_REMOTE_TOKEN },
  },
});
const { url, key, 'remote-account': account, 'remote-token': token } = values;

if (URL.canParse(url) && key) {
  const tour = blocksOf(readFileSync(join(import.meta.dirname, '../test/TOUR.md'), 'utf8'));
  const blocks = tour.filter(
    ({ commands }) => !commands.includes('npm run') && ((account && token) || !commands.includes('$REMOTE')),
  );
  const env = { ...process.env, URL: url.replace(/\/$/, ''), KEY: key, ACCOUNT: account, TOKEN: token };
  const shell = spawn('bash', ['-c', scriptOf(blocks)], { env, stdio: 'inherit' });
  shell.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
