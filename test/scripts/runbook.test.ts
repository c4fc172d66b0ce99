import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, inject, it } from 'vitest';
import { ALL_SETTINGS, sampleStacks } from '#test/infra/sample.ts';
import { realStacks } from '#test/infra/stacks.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

/** What the runbook tells an operator to type is about what there is. */

const root = join(import.meta.dirname, '../..');
const runbook = readFileSync(join(root, 'infra/RUNBOOK.md'), 'utf8');

/** One a line, without what is said of them. */
function commandsOf(block: string): string[] {
  const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.map((line) => line.replace(/(?:^|\s+)#.*$/, '').trim()).filter((text) => text !== '');
}

const commands = [...runbook.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap(([, block = '']) => commandsOf(block));

/** Within sentences. A query has no back quotes in it. */
const mentioned = [...runbook.matchAll(/`((?:aws|logs|npm|npx) [^`]+)`/g)].map(([, text = '']) => text);

const isOfAws = (text: string) =>
  /(?:^|[(\s])(?:aws [a-z]|logs ["$]|npx cdk |npm run deploy -- (?!.*--dry-run))/.test(text);

const { assembly, tables } = await realStacks();

const run = promisify(execFile);

/** As the runbook has it, but that npm itself is left out. */
async function runLine(line: string): Promise<string> {
  const npm = `npm() { shift; command=$1; shift 2; '${process.execPath}' "scripts/$command.ts" "$@"; }`;
  const { TABLE_NAME = '', ...credentials } = inject('operatorEnvironment');
  const env = { ...credentials, TABLE: TABLE_NAME, DATA_DIR: inject('dataDir') };
  return (await run('/bin/sh', ['-c', `${npm}\n${line}`], { cwd: root, env })).stdout;
}

const invocations = commands.filter((text) => text.startsWith('npm run invoke '));

describe.concurrent('the runbook calls a function that does what it says', () => {
  it.each(invocations)('%s', async (text) => {
    expect(await runLine(text)).toBe('null\n');
  });
});

const NAME = /[\w/]*billwright[\w./-]*/g;

const withBackups = await sampleStacks({ backups: ALL_SETTINGS.backups });
const stacks = [assembly, withBackups.assembly].flatMap((each) => each.stacks);
const named = JSON.stringify(stacks.map(({ template }) => template)).match(NAME) ?? [];
const known = new Set([...named, ...stacks.map(({ name }) => name)]);

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

const ofAws = [...commands, ...mentioned].filter(isOfAws);

describe('the names in commands of AWS', () => {
  const written = [...ofAws, ...[...runbook.matchAll(/`([^`\n]*\$PREFIX[^`\n]*)`/g)].map(([, text = '']) => text)];

  it('are of stacks, queues, functions, logs and alarms that there are', () => {
    const texts = written.filter((text) => !text.includes('<name>')).flatMap(meantBy);
    const names = texts.flatMap((text) => text.match(NAME) ?? []);
    const isThere = (name: string) =>
      known.has(name) ||
      name.startsWith(NEW_TABLE) ||
      (/[/-]$/.test(name) && named.some((each) => each.startsWith(name)));
    expect(new Set(names).size).toBeGreaterThan(15);
    expect([...new Set(names)].filter((name) => !isThere(name))).toEqual([]);
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
});
