import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../scripts/deploy.ts');

interface Outcome {
  readonly output: string;
  readonly complaint: string;
  readonly code: number;
}

/** On a machine where nobody has logged in to AWS. */
const NOBODY = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
};

async function deploy(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  try {
    const { stdout, stderr } = await run(process.execPath, [script, ...args], { env: { ...NOBODY, ...environment } });
    return { output: stdout, complaint: stderr, code: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
    return { output: stdout, complaint: stderr, code };
  }
}

describe('npm run deploy', () => {
  it.each([
    [[], '--stage is required.'],
    [['--stage', 'beta'], 'There is no stage "beta".'],
    [['--stage', 'dev', '--force'], "Unknown option '--force'"],
  ])('refuses %j, and says how it is used', async (args, message) => {
    const { output, complaint, code } = await deploy(args);
    expect([output, code]).toEqual(['', 1]);
    expect(complaint).toContain(message);
    expect(complaint).toContain('--stage dev|staging|production');
  });

  it('builds nothing without credentials, or without a region, and says what to set', async () => {
    const credentials = { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nothing' };
    expect(await deploy(['--stage', 'dev'])).toEqual({
      output: '',
      complaint: 'There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.\n',
      code: 1,
    });
    expect(await deploy(['--stage', 'dev'], credentials)).toEqual({
      output: '',
      complaint: 'There is no AWS region: set AWS_REGION.\n',
      code: 1,
    });
  });

  it('says in a dry run what it would deploy, and deploys nothing', { timeout: 120_000 }, async () => {
    const { output, complaint, code } = await deploy(['--stage', 'staging', '--dry-run']);
    expect([complaint, code]).toEqual([
      'NOBODY IS TOLD OF THE ALARMS of staging: set alarmEmail in infra/config.ts.\n',
      0,
    ]);
    for (const name of ['data', 'queue', 'api', 'api-tracker', 'sync', 'observability']) {
      expect(output).toMatch(new RegExp(`^ {2}billwright-staging-${name}: [1-9]\\d* resources$`, 'm'));
    }
    expect(output).toContain('may call the API: *');
    expect(output).toContain('Nothing was deployed.');
  });
});
