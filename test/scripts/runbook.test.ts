import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, inject, it } from 'vitest';
import { neededConcurrency, readConfig } from '#infra/config.ts';
import { ALL_SETTINGS, sampleStacks } from '#test/infra/sample.ts';
import { realStacks } from '#test/infra/stacks.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

/**
 * Every command of the runbook is run by a test, or is one that only AWS can answer. Of those the runbook says what to expect, and the names in them are
 * compared with the stacks of production.
 */

const root = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const runbook = textOf('infra/RUNBOOK.md');

/** Runs of each `npm run`, with the arguments that the runbook has. */
const RUN_BY: Readonly<Record<string, string>> = {
  costs: 'test/infra/costs.test.ts',
  deploy: 'test/scripts/deploy.test.ts',
  keys: 'test/scripts/keys.test.ts',
  smoke: 'test/scripts/tour.test.ts',
  invoke: 'below',
};

interface Command {
  readonly text: string;
  /** What is to be expected of AWS, where only AWS answers. */
  readonly expected: string | undefined;
}

const NOTE = /# AWS only: (.{10,})$/;

/** A note is for what follows it up to the next empty line. */
function commandsOf(block: string): Command[] {
  let expected: string | undefined;
  const commands: Command[] = [];
  for (const line of block.replaceAll(/\\\n\s*/g, '').split('\n')) {
    const text = line.replace(/(?:^|\s+)#.*$/, '').trim();
    if (line.trim() === '') expected = undefined;
    expected = NOTE.exec(line)?.[1] ?? expected;
    if (text !== '') commands.push({ text, expected });
  }
  return commands;
}

const commands = [...runbook.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap(([, block = '']) => commandsOf(block));

/** Within sentences. A query has no back quotes in it. */
const mentioned = [...runbook.matchAll(/`((?:aws|logs|npm|npx) [^`]+)`/g)].map(([, text = '']) => text);

const isOfAws = (text: string) =>
  /(?:^|[(\s])(?:aws [a-z]|logs ["$]|npx cdk |npm run deploy -- (?!.*--dry-run))/.test(text);

const npmScript = (text: string) => /^npm run ([\w:]+)/.exec(text)?.[1];

/** What does nothing but give names to values, or repeat. */
const isOfShell = (text: string) => /^(?:[A-Z]+=[^()\s]+(?:\$\(date [^)]*\))?|logs\(\) \{|\}|done)$/.test(text);

const { ofType, assembly, tables, blueprint } = await realStacks();

describe('the figures of the runbook', () => {
  it('say how many functions a stage needs at once, as the contract and its settings do', () => {
    const of = (stage: string) =>
      neededConcurrency(
        readConfig((name) => ({ stage })[name]),
        tables,
      );
    expect(runbook).toContain(`staging needs ${of('staging').all} and production ${of('production').all}.`);
    expect([of('dev').all, runbook.includes('may run ten, which is what dev needs')]).toEqual([10, true]);
    const reserved = tables.routes.flatMap(({ operationId, ownConcurrency }) =>
      ownConcurrency === undefined ? [] : [[operationId, ownConcurrency]],
    );
    expect(reserved).toEqual([
      ['getInvoicePdf', 20],
      ['getCreditNotePdf', 20],
    ]);
    expect(runbook).toContain('keep 20 for the PDFs of invoices and 20 for those of credit notes');
  });
});

describe('the commands of the runbook', () => {
  it('are of AWS, or of npm, or of the shell', () => {
    const isKnown = ({ text }: Command) =>
      isOfAws(text) || isOfShell(text) || text === 'npm ci' || (npmScript(text) ?? '') in RUN_BY;
    expect(commands.length).toBeGreaterThan(40);
    expect(commands.filter((command) => !isKnown(command))).toEqual([]);
  });

  it('say what to expect, where they are of AWS', () => {
    expect(commands.filter(({ text, expected }) => isOfAws(text) && !expected)).toEqual([]);
  });

  it.each(
    [...commands.filter(({ expected }) => !expected).map(({ text }) => text), ...mentioned].flatMap((text) => {
      const file = RUN_BY[npmScript(text) ?? ''];
      return file && file !== 'below' ? [{ text, file }] : [];
    }),
  )('are run by a test: $text', ({ text, file }) => {
    expect(existsSync(join(root, file))).toBe(true);
    const test = textOf(file);
    expect(test).toContain(`scripts/${npmScript(text)}.ts'`);
    const words = text.split(' -- ')[1]?.match(/--[\w-]+|^\w+/g) ?? [];
    for (const word of words) expect(test).toContain(`'${word}'`);
  });
});

const run = promisify(execFile);

/** As the runbook has it, but that npm itself is left out. */
async function runLine(line: string): Promise<string> {
  const npm = `npm() { shift; command=$1; shift 2; '${process.execPath}' "scripts/$command.ts" "$@"; }`;
  const { TABLE_NAME = '', ...credentials } = inject('operatorEnvironment');
  const env = { ...credentials, TABLE: TABLE_NAME, DATA_DIR: inject('dataDir') };
  return (await run('/bin/sh', ['-c', `${npm}\n${line}`], { cwd: root, env })).stdout;
}

const here = commands.filter(({ text }) => RUN_BY[npmScript(text) ?? ''] === 'below');

describe.concurrent('on the local cloud', () => {
  it.each(here)('$text', async ({ text }) => {
    expect(await runLine(text)).toBe('null\n');
  });
});

const { ofType: ofTypeWithBackups } = await sampleStacks({ backups: ALL_SETTINGS.backups });
const vaults = ofTypeWithBackups('AWS::Backup::BackupVault', v.object({ BackupVaultName: v.string() }));

const NAMES: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Api': 'Name',
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SQS::Queue': 'QueueName',
};

const named = Object.entries(NAMES).flatMap(([type, name]) =>
  ofType(type, v.looseObject({ [name]: v.string() })).map(({ properties }) => String(properties[name])),
);
const stacks = assembly.stacks.filter(({ parent }) => !parent);
const known = new Set([
  ...named,
  ...stacks.map(({ name }) => name),
  ...vaults.map(({ properties }) => properties.BackupVaultName),
]);

/** A table that is yet to be made. */
const NEW_TABLE = 'billwright-restored-';

/** What a command is for production, and for each queue and schedule that it may mean. */
function meantBy(text: string): string[] {
  const queues = tables.queues.map(({ name }) => name);
  const values: [RegExp, readonly string[]][] = [
    [/\$PREFIX/g, ['billwright']],
    [/\$STAGE/g, ['production']],
    [/\$QUEUE|<queue>/g, queues],
    [/<schedule>/g, tables.schedules.map(({ name }) => name)],
  ];
  return values.reduce(
    (texts, [variable, each]) => texts.flatMap((one) => each.map((value) => one.replaceAll(variable, value))),
    [text],
  );
}

const ofAws = [...commands.map(({ text }) => text).filter(isOfAws), ...mentioned.filter(isOfAws)];

describe('the names in commands of AWS', () => {
  const written = [...ofAws, ...[...runbook.matchAll(/`([^`\n]*\$PREFIX[^`\n]*)`/g)].map(([, text = '']) => text)];

  it('are of stacks, queues, functions, logs and alarms that there are', () => {
    const texts = written.filter((text) => !text.includes('<name>')).flatMap(meantBy);
    const names = texts.flatMap((text) => text.match(/[\w/]*billwright[\w./-]*/g) ?? []);
    const isThere = (name: string) =>
      known.has(name) ||
      name.startsWith(NEW_TABLE) ||
      (/[/-]$/.test(name) && named.some((each) => each.startsWith(name)));
    expect(new Set(names).size).toBeGreaterThan(15);
    expect([...new Set(names)].filter((name) => !isThere(name))).toEqual([]);
  });

  it('are outputs of their stack', () => {
    const asked = ofAws
      .flatMap(meantBy)
      .flatMap((text) => [...text.matchAll(/--stack-name (\S+).*OutputKey=='(\w+)'/g)]);
    expect(asked.length).toBeGreaterThan(0);
    for (const [, stack, output = ''] of asked) {
      expect(stacks.find(({ name }) => name === stack)?.template.Outputs).toHaveProperty(output);
    }
    expect(stacks.find(({ name }) => name === 'billwright-api')?.template.Outputs).toHaveProperty('Url');
  });

  it('begin those that CloudFormation gives to the rules, which are all of one stack and have no other', () => {
    const prefixes = ofAws.flatMap(meantBy).flatMap((text) => /--name-prefix ([\w-]+)/.exec(text)?.[1] ?? []);
    const rules = assembly.resources.filter(({ type }) => type === 'AWS::Events::Rule');
    expect(new Set(prefixes)).toEqual(new Set(rules.map(({ stack }) => stack.name)));
    for (const { properties } of rules) expect(properties).not.toHaveProperty('Name');
  });

  it('are the stage of the API with its limits, and the attribute by which items expire', () => {
    const limits = v.object({ ThrottlingRateLimit: v.number(), ThrottlingBurstLimit: v.number() });
    const [stage] = ofType(
      'AWS::ApiGatewayV2::Stage',
      v.object({ StageName: v.string(), DefaultRouteSettings: limits }),
    );
    const text = ofAws.join('\n');
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = stage?.properties.DefaultRouteSettings ?? {};
    expect(text).toContain(`--stage-name '${stage?.properties.StageName}'`);
    expect(text).toContain(`ThrottlingRateLimit=${rate},ThrottlingBurstLimit=${burst}`);
    const expiry = blueprint.tables[0]?.TimeToLiveSpecification?.AttributeName;
    expect(text).toContain(`Enabled=true,AttributeName=${expiry}`);
  });
});

const logLine = v.looseObject({ record: v.looseObject({ message: v.optional(v.unknown()) }) });

/** What the local cloud's functions have written, once it holds both texts: `a`, and `a.b` of what is nested. */
async function fieldsOf(...markers: readonly string[]): Promise<Set<string>> {
  const read = async () => (await readFile(inject('functionLog'), 'utf8')).split('\n');
  await expect
    .poll(async () => (await read()).join('\n'))
    .toSatisfy((log: string) => markers.every((each) => log.includes(each)));
  const lines = (await read()).filter((line) => markers.some((marker) => line.includes(marker)));
  const records = lines.map((line) => v.parse(logLine, JSON.parse(line)).record);
  return new Set(
    records.flatMap((record) => Object.entries(record).flatMap(([name, value]) => [name, ...membersOf(name, value)])),
  );
}

function membersOf(name: string, value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value).map((member) => `${name}.${member}`) : [];
}

describe('the queries of logs', () => {
  const queries = ofAws.flatMap((text) => /logs "(.+?)"/.exec(text)?.[1] ?? []);
  const OF_CLOUDWATCH = ['@timestamp', '@log', '@message'];
  const LANGUAGE = ['filter', 'fields', 'sort', 'desc', 'stats', 'count', 'by', 'limit', 'and', 'in', 'like', 'as'];

  it('are about fields that lines have', async () => {
    const ana = await given.user();
    const { headers } = await new Client(ana.apiKey, inject('baseUrl')).get(
      '/products/01900000-0000-7000-8000-000000000000',
    );
    const messageId = crypto.randomUUID();
    const record = {
      messageId,
      body: '{}',
      attributes: { MessageGroupId: 'nobody', ApproximateReceiveCount: '1' },
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:billwright-imports.fifo',
    };
    await runLine(`npm run invoke -- import-chunk '${JSON.stringify({ Records: [record] })}'`);
    const fields = await fieldsOf(headers.get('x-request-id') ?? '', messageId);
    const asked = queries.flatMap((query) => {
      const aliases = [...query.matchAll(/ as (\w+)/g)].map(([, alias]) => alias);
      const words = query.replaceAll(/'[^']*'/g, '').match(/@?[a-zA-Z][\w.]*/g) ?? [];
      return words.filter((word) => !LANGUAGE.includes(word) && !aliases.includes(word));
    });
    expect(new Set(asked).size).toBeGreaterThan(10);
    expect([...new Set(asked)].filter((field) => !fields.has(field) && !OF_CLOUDWATCH.includes(field))).toEqual([]);
  });

  it('are about messages that the code writes', () => {
    const code = [
      'functions/remote/sync-connection.ts',
      'shared/data/table/transaction.ts',
      'shared/http/problem.ts',
      'shared/http/request-log.ts',
      'shared/queue/consume.ts',
      'shared/caller/sign-in/issuer-keys.ts',
    ]
      .map(textOf)
      .join('\n');
    const messages = queries.flatMap((query) => [...query.matchAll(/message (?:= ('[^']+')|in \[([^\]]+)\])/g)]);
    const texts = messages.flatMap(([, one, several]) => (one ?? several ?? '').split(', '));
    expect(texts.length).toBeGreaterThan(8);
    for (const text of new Set(texts)) expect(code).toMatch(new RegExp(`logger\\.\\w+\\(${text}`));
  });
});
