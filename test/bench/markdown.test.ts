import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFigures } from '#scripts/bench/markdown.ts';

const root = join(import.meta.dirname, '../..');

describe('figures that documents quote', () => {
  it('have a place in the runbook, where new ones replace the old', () => {
    const text = readFileSync(join(root, 'infra/RUNBOOK.md'), 'utf8');
    const [once, twice] = [
      withFigures(text, '| first |'),
      withFigures(withFigures(text, '| first |'), '| second $& |'),
    ];
    expect(once).toContain('\n\n| first |\n\n');
    expect(twice).toBe(once.replace('| first |', () => '| second $& |'));
    const [before = '', after = ''] = once.split('| first |');
    expect(text.startsWith(before.trimEnd())).toBe(true);
    expect(text.endsWith(after.trimStart())).toBe(true);
  });

  it('go into no document that has no place for them', () => {
    expect(() => withFigures('# Title', '| first |')).toThrow('no marks');
  });
});
