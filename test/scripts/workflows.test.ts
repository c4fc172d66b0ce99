import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, inject, it } from 'vitest';
import { inTemporaryFolder } from '#test/infra/sample.ts';

/**
 * The workflows are walked through: each command runs, in their order, with stand-ins for GitHub, the packages and AWS.
 * `npm run lint` checks the rest of these files.
 */

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');

type Values = Readonly<Record<string, string>>;

interface Step {
  readonly kind: 'run' | 'uses';
  readonly text: string;
  readonly inputs: Values;
}

interface Job {
  readonly name: string;
  readonly needs: string | undefined;
  /** Another workflow, which it runs in place of steps. */
  readonly workflow: string | undefined;
  readonly inputs: Values;
  readonly environment: Values;
  readonly steps: readonly Step[];
}

function jobsOf(file: string): Job[] {
  const [, jobs = ''] = textOf(file).split('\njobs:\n');
  return jobs
    .split(/^ {2}(?=\w+:$)/m)
    .slice(1)
    .map(jobOf);
}

function jobOf(text: string): Job {
  const [head = '', ...steps] = text.split(/^ {6}- /m);
  return {
    name: /^\w+/.exec(head)?.[0] ?? '',
    needs: /^ {4}needs: (.+)$/m.exec(head)?.[1],
    workflow: /^ {4}uses: (.+)$/m.exec(head)?.[1],
    inputs: valuesUnder(head, 'with'),
    environment: valuesUnder(head, 'env'),
    steps: steps.map(stepOf),
  };
}

function stepOf(text: string): Step {
  const [, kind, command = ''] = /^(run|uses): ([^|>].*)$/m.exec(text) ?? [];
  if (kind !== 'run' && kind !== 'uses') throw new Error(`Not a step of one line: ${text}`);
  return { kind, text: command, inputs: valuesUnder(text, 'with') };
}

function valuesUnder(text: string, member: string): Values {
  const [, lines = ''] = new RegExp(`^ +${member}:\\n((?: {6,}[\\w-]+: .+\\n)+)`, 'm').exec(text) ?? [];
  return Object.fromEntries([...lines.matchAll(/([\w-]+): (.+)/g)].map(([, name = '', value = '']) => [name, value]));
}

/** @throws Error for an expression that GitHub would find empty */
function filled(text: string, context: Values): string {
  return text.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    const value = context[name];
    if (value === undefined) throw new Error(`Nothing sets ${name}.`);
    return value;
  });
}

const filledAll = (values: Values, context: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value, context)]));

/** The repository at its versions, and the AWS account. */
interface Site {
  readonly folder: string;
  /** Where the deployed API answers. */
  readonly url: string;
}

/** As GitHub runs it: one job after the other, and nothing after a step that fails. */
async function runWorkflow(file: string, context: Values, site: Site): Promise<void> {
  let before: string | undefined;
  for (const job of jobsOf(file)) {
    expect(job.needs).toBe(before);
    before = job.name;
    const inputs = Object.entries(filledAll(job.inputs, context)).map(([name, value]) => [`inputs.${name}`, value]);
    if (job.workflow) await runWorkflow(basename(job.workflow), { ...context, ...Object.fromEntries(inputs) }, site);
    else await runSteps(job, context, site);
  }
}

async function runSteps({ environment, steps }: Job, context: Values, site: Site): Promise<void> {
  const env: Record<string, string> = { ...filledAll(environment, context), ...machineOf(site) };
  let cwd = '';
  for (const { kind, text, inputs } of steps) {
    const given = filledAll(inputs, context);
    if (kind === 'run') await run('bash', ['-e', '-c', text], { cwd, env });
    else if (text.startsWith('actions/checkout@')) cwd = join(site.folder, given.ref ?? NEW);
    else if (text.startsWith('aws-actions/configure-aws-credentials@')) Object.assign(env, credentialsFor(given));
    else throw new Error(`Nothing stands in for ${text}.`);
  }
}

const run = promisify(execFile);

function machineOf(site: Site): Record<string, string> {
  const { NODE_COMPILE_CACHE = '', PATH } = process.env;
  const { TABLE_NAME = '' } = inject('operatorEnvironment');
  return {
    NODE_COMPILE_CACHE,
    PATH: `${join(site.folder, 'bin')}:${PATH}`,
    ACCOUNT: join(site.folder, 'account'),
    LOG: join(site.folder, 'log'),
    API: site.url,
    TABLE: TABLE_NAME,
  };
}

/** AWS lends the role of the stage, in its region. */
function credentialsFor(given: Values): Values {
  expect(given).toEqual({ 'role-to-assume': VARIABLES['vars.AWS_ROLE'], 'aws-region': VARIABLES['vars.AWS_REGION'] });
  const { TABLE_NAME, ...credentials } = inject('operatorEnvironment');
  return credentials;
}

const VARIABLES = { 'vars.AWS_ROLE': 'arn:aws:iam::111111111111:role/deploy', 'vars.AWS_REGION': 'us-east-1' };

/** Two versions: an endpoint of the older one has another path in the newer one. */
const [OLD, NEW] = ['old', 'new'];
const [OLD_PATH, NEW_PATH] = ['/v1/users', '/v1/people'];

const PARTS = ['.ci', 'README.md', 'functions', 'infra', 'scripts', 'shared', 'test/TOUR.md', 'test/golden'];
const SETTINGS = ['cdk.json', 'package-lock.json', 'package.json'];

/** What was built of the older version, which is the one under test. */
const BUILT = ['cdk.out', 'dist/functions', 'dist/synthesized'];

/** Packages are there already. Of npm's scripts those run that are commands of the product. */
const NPM = `#!/bin/bash
echo "npm $*" >> "$LOG"
[ "$1" = run ] || exit 0
shift
[ "$1" = --silent ] && shift
script="scripts/$1.ts"
shift 2
[ ! -f "$script" ] || exec '${process.execPath}' "$script" "$@"
`;

/** AWS takes whatever is deployed, and says where it is. */
const CDK = `
const { cpSync, globSync, writeFileSync } = require('node:fs');
const [command, ...args] = process.argv.slice(2);
const after = (word) => args[args.indexOf(word) + 1];
const { ACCOUNT, API, TABLE } = process.env;
if (command !== 'deploy' || after('--require-approval') !== 'never') throw new Error(process.argv.join(' '));
for (const file of globSync('*.template.json', { cwd: after('--app') })) {
  cpSync(after('--app') + '/' + file, ACCOUNT + '/' + file);
}
writeFileSync(after('--outputs-file'), JSON.stringify({ api: { Url: API }, data: { TableName: TABLE } }, null, 2));
`;

/** A nested stack has the name of its template as its ARN. */
const AWS = `#!${process.execPath}
const { existsSync, readFileSync } = require('node:fs');
const [, command, , stack, , logicalId] = process.argv.slice(2);
const file = process.env.ACCOUNT + '/' + stack.replace(/(\\.template\\.json)?$/, '.template.json');
if (!existsSync(file)) {
  console.error('An error occurred (ValidationError): Stack with id ' + stack + ' does not exist');
  process.exit(254);
}
const template = JSON.parse(readFileSync(file, 'utf8'));
const nested = () => template.Resources[logicalId].Metadata['aws:asset:path'];
const answer = command === 'get-template'
  ? { TemplateBody: template }
  : { StackResourceDetail: { PhysicalResourceId: nested() } };
console.log(JSON.stringify(answer));
`;

async function prepare(site: string): Promise<void> {
  await Promise.all(['account', 'bin', NEW].map((each) => mkdir(join(site, each))));
  await writeFile(join(site, 'log'), '');
  await writeFile(join(site, 'bin', 'npm'), NPM, { mode: 0o755 });
  await writeFile(join(site, 'bin', 'aws'), AWS, { mode: 0o755 });
  for (const version of [OLD, NEW]) {
    const parts = [...PARTS, ...SETTINGS, ...(version === OLD ? BUILT : [])];
    for (const part of parts) await cp(join(root, part), join(site, version, part), { recursive: true });
    await linkPackages(join(site, version, 'node_modules'));
  }
  const contract = join(site, NEW, 'shared/contract/organization/list-users.ts');
  await writeFile(contract, (await readFile(contract, 'utf8')).replaceAll(`'${OLD_PATH}'`, `'${NEW_PATH}'`));
}

async function linkPackages(packages: string): Promise<void> {
  await mkdir(join(packages, 'aws-cdk/bin'), { recursive: true });
  await writeFile(join(packages, 'aws-cdk/bin/cdk'), CDK);
  const others = (await readdir(join(root, 'node_modules'))).filter((name) => name !== 'aws-cdk');
  for (const name of others) await symlink(join(root, 'node_modules', name), join(packages, name));
}

const template = v.object({
  Resources: v.record(v.string(), v.object({ Properties: v.optional(v.object({ RouteKey: v.optional(v.string()) })) })),
});

/** @returns the path that the endpoint has on the stage; undefined if nothing is deployed */
async function deployedPath(site: Site, prefix: string): Promise<string | undefined> {
  const [file] = globSync(`account/${prefix}-api.template.json`, { cwd: site.folder });
  if (file === undefined) return undefined;
  const { Resources } = v.parse(template, JSON.parse(await readFile(join(site.folder, file), 'utf8')));
  const keys = Object.values(Resources).map(({ Properties }) => Properties?.RouteKey);
  return [OLD_PATH, NEW_PATH].find((path) => keys.includes(`GET ${path}`));
}

async function deployed(site: Site) {
  return {
    staging: await deployedPath(site, 'billwright-staging'),
    production: await deployedPath(site, 'billwright'),
  };
}

const CHECK = ['npm ci', 'npm test', 'npm run test:slow', 'npm run search', 'npm run check:static', 'npm audit'];

const deployment = (stage: string) => [
  'npm ci',
  `npm run deploy -- --stage ${stage} --yes`,
  expect.stringContaining('npm run --silent keys -- create --organization Smoke'),
  expect.stringContaining('npm run --silent smoke -- --url'),
  expect.stringContaining('npm run --silent keys -- revoke'),
];

const logOf = async (site: Site) => (await readFile(join(site.folder, 'log'), 'utf8')).trimEnd().split('\n');

const RELEASED = { ...VARIABLES, 'github.sha': NEW };

describe('the workflows, on a stand-in for GitHub and AWS', () => {
  it(
    'check a version, deploy it to staging and promote it to production, and roll back by hand',
    {
      timeout: 240_000,
    },
    () =>
      inTemporaryFolder(async (folder) => {
        await prepare(folder);
        const site = { folder, url: inject('baseUrl') };
        await expect(runWorkflow('release.yml', RELEASED, { folder, url: 'http://localhost:1' })).rejects.toThrow(
          'smoke',
        );
        expect(await deployed(site)).toEqual({ staging: NEW_PATH, production: undefined });
        await runWorkflow('release.yml', RELEASED, site);
        expect(await deployed(site)).toEqual({ staging: NEW_PATH, production: NEW_PATH });
        const byHand = { ...VARIABLES, 'inputs.stage': 'production', 'inputs.version': OLD };
        await runWorkflow('deploy.yml', byHand, site);
        expect(await deployed(site)).toEqual({ staging: NEW_PATH, production: OLD_PATH });
        expect(await logOf(site)).toEqual([
          ...CHECK,
          ...deployment('staging'),
          ...CHECK,
          ...deployment('staging'),
          ...deployment('production'),
          ...deployment('production'),
        ]);
      }),
  );
});

describe('the workflows', () => {
  const texts = globSync('*.yml', { cwd: folder }).map(textOf);

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
