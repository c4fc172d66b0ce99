import { describe, expect, it } from 'vitest';
import { PROBLEM_TEXTS, problemTexts } from '#shared/openapi/problem-texts.ts';
import { type Section, sectionsOf } from '#shared/openapi/sections.ts';
import { routes } from '#shared/routes.ts';

const sections = sectionsOf('problems.md');

const firstWith = (change: Partial<Section>) =>
  sections.map((section, position) => (position === 0 ? { ...section, ...change } : section));

describe('problems.md', () => {
  it.each([
    ['lacks a code', sections.slice(1)],
    ['lacks the last code', sections.slice(0, -1)],
    ['has a code that no problem has', firstWith({ title: 'malformed_jsn' })],
    ['has a code twice', [...sections, ...sections.slice(-1)]],
    ['has a line that is neither a detail nor a fault', firstWith({ text: 'Cause.\n\nRemedy.\n\n* `name`: No text.' })],
  ])('ends the build if it %s', (_, changed) => {
    expect(() => problemTexts(changed)).toThrow('problems.md has');
  });

  it('names only operations that exist', () => {
    const operations = Object.values(PROBLEM_TEXTS).flatMap(({ details }) => Object.keys(details));
    const existing = routes.map(({ operationId }) => operationId);
    expect(existing).toEqual(expect.arrayContaining(operations.filter((name) => name !== '')));
  });
});
