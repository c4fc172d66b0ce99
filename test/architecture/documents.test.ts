import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { RUNBOOK } from '#infra/constructs/house-alarm.ts';
import { sampleStacks } from '#test/infra/sample.ts';
import { realStacks } from '#test/infra/stacks.ts';

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

describe('the README', () => {
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
  const alarm = v.object({ AlarmDescription: v.string() });
  const alarms = [await realStacks(), await sampleStacks()].flatMap((stacks) =>
    stacks.ofType('AWS::CloudWatch::Alarm', alarm).map(({ properties }) => properties),
  );

  it('has a section for each alarm, and none for what does not ring', () => {
    const linked = alarms.map(({ AlarmDescription }) => AlarmDescription.split(`${RUNBOOK}#`)[1] ?? '');
    expect(sections).toEqual(new Set(linked));
  });
});

describe('the threat model', () => {
  it('covers each of the ten risks with a test', () => {
    const rows = [...textOf('SECURITY.md').matchAll(/^\| API(\d+) .*$/gm)];
    expect(rows.map(([, position]) => Number(position))).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
    for (const [row] of rows) expect(row.split(' | ').at(-1)).toMatch(/`test\/[\w./-]+\.test\.ts`/);
  });
});
