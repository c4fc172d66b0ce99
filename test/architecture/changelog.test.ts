import { expect, it } from 'vitest';
import { acceptsLayout } from '#shared/data/layout/keys.ts';
import { sourceOf } from './modules.ts';

it('the changelog names the layouts of this version and of the last release, and this version works on both', () => {
  const [unreleased = '', ...releases] = sourceOf('CHANGELOG.md').split(/^## /m).slice(1);
  for (const version of [unreleased, ...releases.slice(0, 1)]) {
    expect(acceptsLayout(Number(/^Layout of the table: (\d+)\.$/m.exec(version)?.[1])), version).toBe(true);
  }
});
