import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { RUNBOOK } from '#infra/constructs/house-alarm.ts';
import { sampleStacks } from '#test/infra/sample.ts';
import { realStacks, type Stacks } from '#test/infra/stacks.ts';
import { watchedBy, watching } from '#test/infra/watched.ts';

/** What is written for people must be as true as what is written for machines. */

const root = resolve(import.meta.dirname, '../..');

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'scripts/local/README.md',
  'shared/e-invoice/README.md',
  'shared/pdf/typesetter/README.md',
  'test/TOUR.md',
  'test/TRUST.md',
  RUNBOOK,
] as const;

const textOf = (document: string) => readFileSync(join(root, document), 'utf8');

/** In code (`test/api/x.test.ts`), from the root; and behind links, from where the document is. */
function filesNamedBy(document: string): string[] {
  const text = textOf(document);
  const inCode = [...text.matchAll(/`((?:functions|infra|scripts|shared|test)\/[\w./-]+\.\w+)`/g)];
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
  return [
    ...inCode.map(([, path = '']) => join(root, path)),
    ...linked.map(([, path = '']) => join(root, dirname(document), path)),
  ];
}

/** As the host of the repository makes anchors of headings. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const headingsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe.each(DOCUMENTS)('%s', (document) => {
  it('names only files that exist', () => {
    const named = filesNamedBy(document);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('links only to headings that exist', () => {
    for (const [, path = '', anchor = ''] of textOf(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      expect(headingsOf(textOf(path === '' ? document : join(dirname(document), path))), path).toContain(anchor);
    }
  });

  it('names only commands that exist', () => {
    const { scripts } = v.parse(
      v.object({ scripts: v.record(v.string(), v.string()) }),
      JSON.parse(textOf('package.json')),
    );
    const named = [...textOf(document).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('the front door', () => {
  it.each([
    ['README.md', 105],
    ['ARCHITECTURE.md', 135],
  ])('is short: %s has at most %i lines', (document, most) => {
    expect(textOf(document).trimEnd().split('\n').length).toBeLessThanOrEqual(most);
  });

  it('quotes figures that stand in what it links', () => {
    const [, promises = ''] = textOf('README.md').split('## What makes it different\n');
    const lines = promises.match(/^- .*$/gm)?.slice(0, 5) ?? [];
    for (const line of lines) {
      const [, document = ''] = /\]\(([^)#]+)/.exec(line) ?? [];
      const figures = [...line.matchAll(/\*\*([^*]*\d[^*]*)\*\*/g)].map(([, figure = '']) => figure);
      expect(figures.length, line).toBeGreaterThan(0);
      for (const figure of figures) expect(textOf(document), line).toContain(figure);
    }
    expect(lines).toHaveLength(5);
  });
});

describe('the runbook', async () => {
  const [, alarmPart = ''] = textOf(RUNBOOK).split('\n## Alarms\n');
  const [chapter = ''] = alarmPart.split('\n## ');
  const sections = new Set([...chapter.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
  const alarm = v.object({ AlarmName: v.string(), AlarmDescription: v.string() });
  const alarms = [await realStacks(), await sampleStacks()].flatMap((stacks) =>
    stacks.ofType('AWS::CloudWatch::Alarm', alarm).map(({ properties }) => properties),
  );

  it('has a section for each alarm, and none for what does not ring', () => {
    const linked = alarms.map(({ AlarmDescription }) => AlarmDescription.split(`${RUNBOOK}#`)[1] ?? '');
    expect(sections).toEqual(new Set(linked));
  });

  it('names each alarm, by its queue or schedule where it has one', () => {
    const named = new Set([...chapter.matchAll(/`((?:<\w+>-)?[\w-]+)`/g)].map(([, name = '']) => name));
    for (const { AlarmName } of alarms) {
      const name = AlarmName.replace(/^billwright-/, '');
      const kind = name.split('-').at(-1);
      const candidates = [name, `<queue>-${kind}`, `<schedule>-${kind}`];
      expect(
        candidates.some((candidate) => named.has(candidate)),
        AlarmName,
      ).toBe(true);
    }
  });
});

describe('the threat model', () => {
  it('covers each of the ten risks with a test', () => {
    const rows = [...textOf('SECURITY.md').matchAll(/^\| API(\d+) .*$/gm)];
    expect(rows.map(([, position]) => Number(position))).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
    for (const [row] of rows) expect(row.split(' | ').at(-1)).toMatch(/`test\/[\w./-]+\.test\.ts`/);
  });
});

describe('the drawing of the system', () => {
  const [, drawing = ''] = /```mermaid\nflowchart LR\n(.*?)```/s.exec(textOf('ARCHITECTURE.md')) ?? [];
  const arrows = new Set(drawing.split('\n').flatMap(arrowsOf));

  it('has the arrows of the stacks, and those to and from people and programs elsewhere', async () => {
    const elsewhere = ['caller > gateway', 'endpoints > issuer', 'watch > mail', 'operator > table'];
    expect([...arrows].sort()).toEqual([...new Set([...arrowsOfStacks(await realStacks()), ...elsewhere])].sort());
  });
});

const DRAWN_SERVICES: Readonly<Record<string, string>> = {
  dynamodb: 'table',
  kms: 'kms',
  logs: 'watch',
  sqs: 'queues',
};

/** By the namespaces of their metrics. */
const WATCHED: Readonly<Record<string, readonly string[]>> = {
  'AWS/ApiGateway': ['gateway'],
  'AWS/DynamoDB': ['table'],
  'AWS/SQS': ['queues', 'deadLetters'],
};

function arrowsOfStacks({ blueprint, ofType }: Stacks): string[] {
  const { apis, eventSources, functions, queues: all, schedules: rules } = blueprint;
  const deadLetterArns = new Set(all.map(({ redrive }) => redrive?.deadLetterTargetArn));
  const nodeOf = ({ arn }: { readonly arn: string }) => (deadLetterArns.has(arn) ? 'deadLetters' : 'queues');
  const groups = {
    endpoints: new Set(apis.flatMap(({ routes: each }) => each.map(({ functionName }) => functionName))),
    scheduled: new Set(rules.map(({ functionName }) => functionName)),
    workers: new Set(eventSources.map(({ functionName }) => functionName)),
  };
  const groupsOf = (name: string) =>
    Object.entries(groups).flatMap(([group, names]) => (names.has(name) ? [group] : []));
  const targetsOf = ({ statements, environment }: (typeof functions)[number]) => [
    ...statements.flatMap(({ Action }) => Action).map((action) => DRAWN_SERVICES[action.split(':')[0] ?? ''] ?? action),
    ...('REMOTE_API_URL' in environment ? ['provider'] : []),
  ];
  const watched = ofType('AWS::CloudWatch::Alarm', watching).flatMap(({ properties }) => watchedBy(properties));
  return [
    ...apis.map(() => 'gateway > endpoints'),
    ...rules.map(() => 'schedules > scheduled'),
    ...eventSources.map(({ queue }) => `${nodeOf(queue)} > workers`),
    ...all.filter(({ redrive }) => redrive).map((queue) => `${nodeOf(queue)} > deadLetters`),
    ...functions.flatMap((plan) =>
      groupsOf(plan.name).flatMap((group) => targetsOf(plan).map((target) => `${group} > ${target}`)),
    ),
    ...watched.flatMap((text) => WATCHED[text.split(' ')[0] ?? ''] ?? []).map((node) => `${node} > watch`),
  ];
}

/** `a[A] & b -->|text| c --> d` -> `a > c`, `b > c`, `c > d` */
function arrowsOf(line: string): string[] {
  const stops = line
    .split(/-->(?:\|[^|]*\|)?/)
    .map((stop) => stop.split(' & ').map((node) => node.trim().split(/\W/)[0]));
  return stops.slice(1).flatMap((to, i) => (stops[i] ?? []).flatMap((from) => to.map((each) => `${from} > ${each}`)));
}
