import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inTemporaryFolder } from '#test/infra/sample.ts';

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

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nothing' };

/** As the AWS command line, of an account that has these stacks, by their name or ARN, and these nested ones. */
const deployWith = (stacks: Readonly<Record<string, unknown>>, nested: Readonly<Record<string, string>> = {}) =>
  inTemporaryFolder(async (folder) => {
    await mkdir(join(folder, 'bin'));
    const templates = Object.entries(stacks).map(([id, TemplateBody]) => [`get-template ${id}`, { TemplateBody }]);
    const arns = Object.entries(nested).map(([id, PhysicalResourceId]) => [
      `describe-stack-resource ${id}`,
      { StackResourceDetail: { PhysicalResourceId } },
    ]);
    const cases = [...templates, ...arns].map(
      ([asked, given]) => `'${asked}') printf '%s' '${JSON.stringify(given)}' ;;`,
    );
    const missing = `*) echo "An error occurred (ValidationError) when calling the GetTemplate operation: Stack with id $4 does not exist" >&2; exit 254 ;;`;
    const script = ['#!/bin/sh', 'case "$2 $4" in', ...cases, missing, 'esac'].join('\n');
    await writeFile(join(folder, 'bin', 'aws'), script, { mode: 0o755 });
    return deploy(['--stage', 'dev', '--yes'], { ...CREDENTIALS, AWS_REGION: 'eu-west-1', PATH: join(folder, 'bin') });
  });

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

  it('builds nothing without credentials, or without a region that there is, and says what to set', async () => {
    expect(await deploy(['--stage', 'dev'])).toEqual({
      output: '',
      complaint: 'There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.\n',
      code: 1,
    });
    expect(await deploy(['--stage', 'dev'], CREDENTIALS)).toEqual({
      output: '',
      complaint: 'There is no AWS region: set AWS_REGION.\n',
      code: 1,
    });
    expect(await deploy(['--stage', 'dev'], { ...CREDENTIALS, AWS_REGION: 'mars-north-1' })).toEqual({
      output: '',
      complaint: 'AWS_REGION: "mars-north-1" is no region of AWS.\n',
      code: 1,
    });
  });

  it('says in a dry run what it would deploy, and deploys nothing', { timeout: 120_000 }, async () => {
    const { output, complaint, code } = await deploy(['--stage', 'staging', '--dry-run']);
    expect([complaint, code]).toEqual([
      'NOBODY IS TOLD OF THE ALARMS of staging: set alarmEmail in infra/config.ts.\n',
      0,
    ]);
    for (const name of ['data', 'queue', 'api', 'api-functions', 'sync', 'observability']) {
      expect(output).toMatch(new RegExp(`^ {2}billwright-staging-${name}: [1-9]\\d* resources$`, 'm'));
    }
    expect(output).toContain('may call the API: *');
    expect(output).toContain('Nothing was deployed.');
  });

  it('sends nothing where a name is still in use, also in a nested stack', { timeout: 120_000 }, async () => {
    const FunctionName = 'billwright-dev-get-health';
    const { output, complaint, code } = await deployWith(
      {
        'billwright-dev-api': { Resources: { Meta: { Type: 'AWS::CloudFormation::Stack' } } },
        'arn:meta': { Resources: { Old: { Type: 'AWS::Lambda::Function', Properties: { FunctionName } } } },
      },
      { 'billwright-dev-api': 'arn:meta' },
    );
    expect(complaint).toMatch(
      /^billwright-dev-api-functions\w+\/gethealth\w+ cannot become AWS::Lambda::Function billwright-dev-get-health while billwright-dev-api-Meta\/Old is: deploy without both, and then what is new\.\n$/,
    );
    expect([output.includes('is deployed'), code]).toEqual([false, 1]);
  });

  it('sends nothing while a stack is as an import left it, and says what to do', { timeout: 120_000 }, async () => {
    const { complaint, code } = await deployWith({ 'billwright-dev-data': 'Resources:\n  Table: {}\n' });
    expect(complaint).toContain('Cannot read the deployed stacks: a template is YAML, as "cdk import" leaves it.');
    expect(code).toBe(1);
  });

  it('sends nothing where it cannot read what is deployed', { timeout: 120_000 }, async () => {
    const environment = { ...CREDENTIALS, AWS_REGION: 'eu-west-1', PATH: '/nowhere' };
    const { complaint, code } = await deploy(['--stage', 'dev'], environment);
    expect([complaint, code]).toEqual(['Cannot read the deployed stacks: spawn aws ENOENT\n', 1]);
  });
});
