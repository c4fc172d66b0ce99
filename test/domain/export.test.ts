import { describe, expect, it } from 'vitest';
import { assertFileFits } from '#shared/domain/export.ts';

const tooLarge = expect.objectContaining({ code: 'export_too_large' });

describe('the file of an export', () => {
  it('has 5 MB at most', () => {
    expect(() => assertFileFits('é'.repeat(2_500_000))).not.toThrow();
    expect(() => assertFileFits(`${'é'.repeat(2_500_000)}x`)).toThrow(tooLarge);
  });

  it('has 6.2 MB at most as the text of an answer, where each quotation mark takes two bytes', () => {
    const marks = '"'.repeat(3_099_999);
    expect(() => assertFileFits(marks)).not.toThrow();
    expect(() => assertFileFits(`${marks}x`)).toThrow(tooLarge);
  });
});
