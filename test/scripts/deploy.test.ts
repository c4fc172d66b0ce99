import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { assertDeployable, assertTable, cdkArguments, settingsOf, summaryOf } from '#scripts/deploy.ts';
import { deployedTable } from '#scripts/deployed.ts';
import { listen } from '#scripts/local/http.ts';
import { assemblyOf, parseTemplate } from '#scripts/local/template.ts';
import { LAYOUT } from '#shared/data/layout/keys.ts';
import { inTemporaryFolder, sampleTables } from '#test/infra/sample.ts';
import { realStacks } from '#test/infra/stacks.ts';
import { refusal, runScript } from '#test/support/programs.ts';

const root = join(import.meta.dirname, '../..');

/** On a machine where nobody has logged in to AWS. */
const NOBODY = {
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
};

const deploy = (args: readonly string[], environment: Readonly<Record<string, string>> = {}, project = root) =>
  runScript(join(project, 'scripts', 'deploy.ts'), args, { ...NOBODY, ...environment });

const AWS_REGION = 'eu-west-1';
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nothing' };

/** Makes a folder with the AWS command line of an account that has these stacks, by their name or ARN, and these nested ones. */
const withAccount = <Result>(
  stacks: Readonly<Record<string, unknown>>,
  nested: Readonly<Record<string, string>>,
  act: (bin: string) => Promise<Result>,
) =>
  inTemporaryFolder(async (folder) => {
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
    await writeFile(join(folder, 'aws'), script, { mode: 0o755 });
    return act(folder);
  });

/** From a copy of the project with these settings in its `cdk.json`. */
const deployWithSettings = (
  context: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>> = {},
) =>
  inTemporaryFolder(async (folder) => {
    for (const part of ['infra', 'scripts', 'shared', 'package.json']) {
      await cp(join(root, part), join(folder, part), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'cdk.json'), JSON.stringify({ context }));
    return deploy(['--stage', 'dev'], environment, folder);
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

  it.each([
    [{ workers: { nope: 5 } }, 'workers.nope: There is no such queue.'],
    [{ alarmMail: 'oncall@example.com' }, 'alarmMail: There is no such setting.'],
  ])('builds nothing with a wrong setting, and names it: %j', async (settings, complaint) => {
    expect(await deployWithSettings(settings)).toEqual(refusal(`The settings of the stage are wrong. ${complaint}\n`));
  });

  it('builds nothing without credentials, or without a region that there is, and says what to set', async () => {
    expect(await deploy(['--stage', 'dev'])).toEqual(
      refusal('There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.\n'),
    );
    expect(await deploy(['--stage', 'dev'], CREDENTIALS)).toEqual(refusal('There is no AWS region: set AWS_REGION.\n'));
    expect(await deploy(['--stage', 'dev'], { ...CREDENTIALS, AWS_REGION: 'mars-north-1' })).toEqual(
      refusal('AWS_REGION: "mars-north-1" is no region of AWS.\n'),
    );
  });

  it('builds nothing where copies of its backups would stay in the account and region', async () => {
    const copyTo = `arn:aws:backup:${AWS_REGION}:111111111111:backup-vault:billwright-dev-backups`;
    const settings = { backups: { copyTo, keptDays: 365 } };
    const account = { ...CREDENTIALS, AWS_REGION };
    await inTemporaryFolder(async (PATH) => {
      await writeFile(join(PATH, 'aws'), '#!/bin/sh\necho 111111111111', { mode: 0o755 });
      expect(await deployWithSettings(settings, { ...account, PATH })).toEqual(
        refusal('backups.copyTo: is in the account and the region of the stage, and has to be in another one.\n'),
      );
    });
  });

  it('builds nothing where the account runs too few functions, and says how many to ask for', async () => {
    const limit = { AccountLimit: { ConcurrentExecutions: 10 } };
    const lambda = createServer((_, response) => response.end(JSON.stringify(limit)));
    const port = await listen(lambda, 0, '127.0.0.1');
    const account = { ...CREDENTIALS, AWS_REGION, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
    const { output, complaint, code } = await deploy(['--stage', 'production', '--yes'], account);
    lambda.close();
    expect([output, code]).toEqual(['', 1]);
    expect(complaint).toMatch(/^The account runs 10 functions at once in this region\. .* --desired-value 1000\n$/);
  });

  it('says in a dry run what it would deploy, and deploys nothing', { timeout: 120_000 }, async () => {
    const { output, complaint, code } = await deploy(['--stage', 'staging', '--dry-run']);
    expect([complaint, code]).toEqual([
      'NOBODY IS TOLD OF THE ALARMS of staging: set alarmEmail in infra/config.ts.\n',
      0,
    ]);
    for (const name of ['data', 'queue', 'api', 'api-functions3', 'sync', 'observability']) {
      expect(output).toMatch(new RegExp(`^ {2}billwright-staging-${name}: [1-9]\\d* resources$`, 'm'));
    }
    expect(output).toContain('may call the API: *');
    expect(output).toContain('Nothing was deployed.');
  });

  it('sends nothing where a name is in use, a table would be empty, or an export in use would go', {
    timeout: 120_000,
  }, async () => {
    const FunctionName = 'billwright-dev-get-health';
    const Properties = { Name: { 'Fn::ImportValue': 'old' } };
    const stacks = {
      'billwright-dev-api': { Resources: { Meta: { Type: 'AWS::CloudFormation::Stack' } } },
      'arn:meta': { Resources: { Old: { Type: 'AWS::Lambda::Function', Properties: { FunctionName } } } },
      'billwright-dev-data': { Resources: {}, Outputs: { Old: { Value: 'table', Export: { Name: 'old' } } } },
      'billwright-dev-sync': { Resources: { User: { Type: 'AWS::SSM::Parameter', Properties } } },
    };
    const { output, complaint, code } = await withAccount(stacks, { 'billwright-dev-api': 'arn:meta' }, (PATH) =>
      deploy(['--stage', 'dev', '--yes'], { ...CREDENTIALS, AWS_REGION, PATH, CDK_VALIDATION: 'false' }),
    );
    expect(complaint).toMatch(
      /^billwright-dev-api-functions\w+\/gethealth\w+ cannot become AWS::Lambda::Function billwright-dev-get-health while billwright-dev-api-Meta\/Old is: deploy without both, and then what is new\.$/m,
    );
    expect(complaint).toMatch(/^billwright-dev-data\/Table\w+ would be new and empty: import the restored one first/m);
    expect(complaint).toMatch(/^billwright-dev-data\/Old cannot go while billwright-dev-sync imports it: /m);
    expect([output.includes('is deployed'), code]).toEqual([false, 1]);
  });
});

describe('a release', () => {
  afterEach(() => vi.unstubAllEnvs());

  const next = assemblyOf([{ name: 'billwright-dev-data', template: parseTemplate({}) }]);

  /** @param PATH where the AWS command line lies */
  const check = (PATH: string) => {
    vi.stubEnv('PATH', PATH);
    return assertDeployable(next, AWS_REGION);
  };

  it('is not deployed while a stack is as an import left it, and the refusal says what to do', async () => {
    const left = { 'billwright-dev-data': 'Resources:\n  Table: {}\n' };
    await expect(withAccount(left, {}, check)).rejects.toThrow(
      'Cannot read the deployed stacks: a template is YAML, as "cdk import" leaves it.',
    );
  });

  it('is not deployed where nobody can read what is there', async () => {
    await expect(check('/nowhere')).rejects.toThrow('Cannot read the deployed stacks: spawn aws ENOENT');
  });
});

describe('the table of a stage that is there', () => {
  const database = mockClient(DynamoDBDocumentClient);
  afterEach(() => database.reset());
  afterAll(() => database.restore());

  it('is found by the name that CloudFormation gave it', async () => {
    const Resources = { Table: { Type: 'AWS::DynamoDB::GlobalTable' } };
    const deployed = assemblyOf([{ name: 'billwright-data', template: parseTemplate({ Resources }) }]);
    const named = { 'billwright-data': 'billwright-data-Table-1' };
    const found = await withAccount({}, named, (PATH) => {
      vi.stubEnv('PATH', PATH);
      return deployedTable(deployed, AWS_REGION);
    });
    vi.unstubAllEnvs();
    expect(found).toBe('billwright-data-Table-1');
    expect(await deployedTable(assemblyOf([]), AWS_REGION)).toBeUndefined();
  });

  it.each([LAYOUT - 1, LAYOUT + 1])(
    'ends the deployment where it has another layout than the version: %i',
    async (layout) => {
      database.on(GetCommand).resolves({ Item: { layout } });
      await expect(assertTable('billwright', AWS_REGION)).rejects.toThrow(
        `The table billwright has layout ${layout}, and this version of the service needs layout ${LAYOUT}`,
      );
    },
  );

  it('lets it go on with that layout, or none yet, and not where nobody may read it', async () => {
    database
      .on(GetCommand)
      .resolvesOnce({ Item: { layout: LAYOUT } })
      .resolvesOnce({})
      .rejects(new Error('No.'));
    await assertTable('billwright', AWS_REGION);
    await assertTable('billwright', AWS_REGION);
    await expect(assertTable('billwright', AWS_REGION)).rejects.toThrow('Cannot read the layout of billwright: No.');
  });
});

describe('the settings of a stage', () => {
  it('are read only where the functions are right', () => {
    expect(settingsOf({ stage: 'staging' }, sampleTables).stage).toBe('staging');
    const routes = sampleTables.routes.map((route) => ({ ...route, memoryMegabytes: 1 }));
    expect(() => settingsOf({ stage: 'staging' }, { ...sampleTables, routes })).toThrow('get-thing.memoryMegabytes');
  });
});

describe('what is about to be deployed', () => {
  it.each([
    ['https://none.invalid', 'none (`allowedOrigins` in infra/config.ts)'],
    ['https://app.example.com', 'https://app.example.com'],
  ])('says whose pages may call the API: %s', (Default, told) => {
    const Parameters = { AllowedOrigins: { Type: 'CommaDelimitedList', Default } };
    const stacks = [{ name: 'billwright-api', template: parseTemplate({ Parameters }) }];
    expect(summaryOf('production', stacks)).toBe(
      `Stage production has the stacks\n  billwright-api: 0 resources\nPages of these origins may call the API: ${told}`,
    );
  });
});

describe('CDK', () => {
  it('deploys all stacks with their settings, and writes the outputs where the tour looks for them', async () => {
    const workflow = await readFile(join(root, '.github/workflows/deploy.yml'), 'utf8');
    const [, outputs = ''] = /smoke "(.+)"/.exec(workflow) ?? [];
    const folder = join(root, 'dist/stages/production');
    const Parameters = {
      AllowedOrigins: { Type: 'CommaDelimitedList', Default: 'https://app.example.com' },
      OidcIssuer: { Type: 'String', Default: '' },
    };
    const api = { name: 'billwright-api', template: parseTemplate({ Parameters }) };
    const ofParent = parseTemplate({ Parameters: { TableName: { Type: 'String' } } });
    const stacks = [api, { name: 'nested', template: ofParent, parent: { stack: api, logicalId: 'nested' } }];
    const [asking, confirmed] = [false, true].map((yes) => cdkArguments('production', folder, stacks, yes));
    expect(asking).toEqual([
      'deploy',
      ...['--app', folder],
      '--all',
      ...['--require-approval', 'broadening'],
      ...['--outputs-file', join(root, outputs.replace('$STAGE', 'production'))],
      ...['--parameters', 'billwright-api:AllowedOrigins=https://app.example.com'],
      ...['--parameters', 'billwright-api:OidcIssuer='],
    ]);
    expect(confirmed).toEqual(asking?.map((word) => (word === 'broadening' ? 'never' : word)));
  });

  it('is given a value for each parameter of the real stacks', async () => {
    const { assembly } = await realStacks();
    const args = cdkArguments('production', 'dist/stages/production', assembly.stacks, true);
    expect(args).toContain('billwright-api:OidcIssuer=');
    expect(args.filter((word) => word.includes('undefined'))).toEqual([]);
  });
});
