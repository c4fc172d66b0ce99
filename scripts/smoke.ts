import { parseArgs } from 'node:util';
import { asError } from '#shared/runtime/error.ts';
import { markdownTable } from './bench/markdown.ts';
import { ApiCaller } from './smoke/api-caller.ts';
import { Cleanup } from './smoke/cleanup.ts';
import { Skipped, type Step, stepsOf } from './smoke/steps.ts';

/**
 * `npm run smoke -- --url URL --key KEY`: tries what has to work after a deployment, at any instance in less than
 * two minutes, and removes what it made. It prints a table, and fails if a step fails. The key needs every scope
 * but `organization:write`.
 *
 * With `--remote-account ID --remote-token TOKEN` an organization without a connection gets one for the run. Without
 * them such an organization's imports are skipped.
 */

const USAGE =
  'Usage: npm run smoke -- --url URL --key KEY [--remote-account ID --remote-token TOKEN]\n  The key is also read from SMOKE_KEY, the token from SMOKE_REMOTE_TOKEN.';

interface Outcome {
  readonly name: string;
  readonly outcome: 'ok' | 'skipped' | 'FAILED';
  readonly milliseconds: number;
  readonly told: string;
}

async function outcomeOf({ name, run }: Step): Promise<Outcome> {
  const startedAt = performance.now();
  const ended = (outcome: Outcome['outcome'], told: string) => ({
    name,
    outcome,
    milliseconds: Math.round(performance.now() - startedAt),
    told,
  });
  try {
    return ended('ok', await run());
  } catch (error) {
    const told = asError(error).message;
    return ended(error instanceof Skipped ? 'skipped' : 'FAILED', told);
  }
}

function wishes() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string', default: process.env.SMOKE_KEY },
      'remote-account': { type: 'string' },
      'remote-token': { type: 'string', default: process.env.SMOKE_REMOTE_TOKEN },
    },
  });
  const { url, key, 'remote-account': accountId, 'remote-token': accessToken } = values;
  if (!url || !URL.canParse(url) || !key) throw new Error(USAGE);
  return { url, key, credential: accountId && accessToken ? { accountId, accessToken } : undefined };
}

async function smoke(): Promise<readonly Outcome[]> {
  const { url, key, credential } = wishes();
  const cleanup = new Cleanup();
  const steps = stepsOf(new ApiCaller(url, key), cleanup, credential);
  const outcomes: Outcome[] = [];
  for (const step of [...steps, { name: 'clean-up', run: () => cleanup.run() }]) outcomes.push(await outcomeOf(step));
  return outcomes;
}

try {
  const outcomes = await smoke();
  const rows = outcomes.map(({ name, outcome, milliseconds, told }) => [name, outcome, String(milliseconds), told]);
  console.log(markdownTable(['step', 'outcome', 'ms', 'what was seen'], rows));
  if (outcomes.some(({ outcome }) => outcome === 'FAILED')) process.exitCode = 1;
} catch (error) {
  console.error(asError(error).message);
  process.exitCode = 2;
}
