import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { Figures } from './findings.ts';

/** The longest of them draws for minutes where the machine is small. */
const TIMEOUT_MILLISECONDS = 600_000;

/** The tests that draw their cases, with so many times as many as in `npm test`, and with other ones. */
export async function searchProperties(multiple: number, seed: number): Promise<Figures> {
  const files = globSync('test/**/*.test.ts').filter((file) => /\bdraws\(/.test(readFileSync(file, 'utf8')));
  const env = { ...process.env, DRAWS: String(multiple), FC_SEED: String(seed) };
  const command = ['vitest', 'run', `--testTimeout=${TIMEOUT_MILLISECONDS}`, ...files];
  const [code] = await once(spawn('npx', command, { stdio: 'inherit', env }), 'exit');
  const outcome = code === 0 ? 'passed' : 'failed';
  return { outcomes: { [outcome]: files.length }, violations: code === 0 ? [] : ['A test fails, as is told above'] };
}
