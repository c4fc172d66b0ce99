import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptsLayout } from '#shared/data/layout/keys.ts';

/** @returns the layouts that the changelog has for its releases, newest first */
function releasedLayouts(changelog: string): number[] {
  const [, ...releases] = changelog.split(/^## (?=\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$)/m);
  return releases.map((text) => {
    const layout = /^Layout of the table: (\d+)\.$/m.exec(text)?.[1];
    if (layout === undefined) throw new Error(`The release ${text.split('\n')[0]} names no layout of the table.`);
    return Number(layout);
  });
}

const text = await readFile(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');

describe('the layout of the table', () => {
  it('of the last release is one that this version works on, so that it can be deployed over it', () => {
    const [last] = releasedLayouts(text);
    expect(acceptsLayout(last)).toBe(true);
  });

  it('is found in the changelog of any release, which must name it', () => {
    const unreleased = '# Changelog\n\n## Unreleased\n\nLayout of the table: 14.\n';
    const release = (version: string, layout: string) => `\n## [${version}] - 2027-01-31\n\n- Much.\n${layout}`;
    expect(releasedLayouts(unreleased)).toEqual([]);
    const released = `${unreleased}${release('0.3.0', '\nLayout of the table: 13.\n')}${release('0.2.0', '\nLayout of the table: 1.\n')}`;
    expect(releasedLayouts(released)).toEqual([13, 1]);
    expect(acceptsLayout(releasedLayouts(released).at(-1))).toBe(false);
    expect(() => releasedLayouts(`${unreleased}${release('0.2.0', '')}`)).toThrow('names no layout');
  });

  it('is named by the changelog as it is', () => {
    const unreleased = /^## Unreleased\n(?:.*\n)*?Layout of the table: (\d+)\.$/m.exec(text)?.[1];
    expect(acceptsLayout(Number(unreleased))).toBe(true);
  });
});
