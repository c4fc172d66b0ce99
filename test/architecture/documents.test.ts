import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { RUNBOOK } from '#infra/constructs/house-alarm.ts';
import { sampleStacks } from '#test/infra/sample.ts';
import { realStacks } from '#test/infra/stacks.ts';
import manifest from '../../package.json' with { type: 'json' };
import { root, sourceOf } from './modules.ts';

/** What is written for people must be as true as what is written for machines. */

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

/** In code (`test/api/x.test.ts`), from the root; and behind links, from where the document is. */
function filesNamedBy(document: string): string[] {
  const text = sourceOf(document);
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
    for (const [, path = '', anchor = ''] of sourceOf(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      expect(headingsOf(sourceOf(path === '' ? document : join(dirname(document), path))), path).toContain(anchor);
    }
  });

  it('names only commands that exist', () => {
    const named = [...sourceOf(document).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });
});

describe('the runbook', async () => {
  const [, alarmPart = ''] = sourceOf(RUNBOOK).split('\n## Alarms\n');
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
