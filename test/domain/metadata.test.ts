import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrderOfNames, type Metadata, mergedMetadata, NO_METADATA } from '#shared/domain/metadata.ts';

const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_.-]{1,3}$/),
  fc.constantFrom('__proto__', 'constructor', '10', '9'),
);

const changesOf = (value: fc.Arbitrary<string | null>) =>
  fc
    .array(fc.tuple(name, value), { maxLength: 6 })
    .map((pairs): Readonly<Record<string, string | null>> => Object.fromEntries(pairs));

const some = changesOf(fc.string()) as fc.Arbitrary<Metadata>;
const changes = changesOf(fc.option(fc.string()));

describe('merged metadata', () => {
  it('have of each name what was sent last, unless that was null', () => {
    fc.assert(
      fc.property(some, changes, (before, sent) => {
        const last = new Map<string, string | null>([...Object.entries(before), ...Object.entries(sent)]);
        const kept = [...last].filter(([, value]) => value !== null);
        expect(new Map<string, unknown>(Object.entries(mergedMetadata(before, sent)))).toEqual(new Map(kept));
      }),
    );
  });

  it('are written in the order of code points, also names that look like numbers', () => {
    fc.assert(
      fc.property(some, (sent) => {
        const written = JSON.stringify(inOrderOfNames(mergedMetadata(NO_METADATA, sent)));
        const sorted = Object.entries(sent).sort(([a], [b]) => (a < b ? -1 : 1));
        expect(written).toBe(`{${sorted.map((pair) => pair.map((text) => JSON.stringify(text)).join(':')).join()}}`);
      }),
    );
  });

  it('stay where nothing was sent, and go where null was', () => {
    const before = { a: '1' };
    expect(mergedMetadata(before, undefined)).toBe(before);
    expect(mergedMetadata(before, null)).toEqual({});
  });

  const TOO_LARGE = 'Expected at most 8 KB, as JSON in UTF-8.';

  const named = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i + 10}`, value]));

  it.each([
    ['20 names', named(20, ''), undefined],
    ['21 names', named(21, ''), 'Expected at most 20 names.'],
    ['8,192 bytes', { ...named(16, 'x'.repeat(500)), m: 'x'.repeat(40) }, undefined],
    ['8,193 bytes', { ...named(16, 'x'.repeat(500)), m: 'x'.repeat(41) }, TOO_LARGE],
    ['characters of four bytes', named(5, '𐐀'.repeat(500)), TOO_LARGE],
  ])('take at most 20 names and 8 KB: %s', (_, sent, message) => {
    const merged = () => mergedMetadata(NO_METADATA, sent);
    const details = expect.objectContaining({ errors: [{ path: 'metadata', message, code: 'length' }] });
    if (message === undefined) expect(merged()).toEqual(sent);
    else expect(merged).toThrow(expect.objectContaining({ code: 'validation_failed', details }));
  });

  it('have room for new names where others go', () => {
    const full = named(20, '');
    expect(Object.keys(mergedMetadata(full, { n10: null, more: '' }))).toHaveLength(20);
  });
});
