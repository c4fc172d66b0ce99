import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf } from '#shared/domain/csv.ts';

const cellOf = (value: string) => csvOf({ columns: ['a'], rows: [{ a: value }] }).slice('a\r\n'.length, -'\r\n'.length);

/** Reads RFC 4180 strictly: whatever is no record of quoted and plain fields, each ended by CR LF, is an error. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = csv;
  while (rest !== '') {
    const [whole = '', quoted, plain = '', end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    if (end === undefined) throw new Error(`No CSV: ${rest.slice(0, 40)}`);
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('CSV', () => {
  it('has a header row, ends each row with CR LF, and leaves what is null empty', () => {
    const rows = [
      { a: 1, b: true, c: null, d: 'unseen' },
      { a: '19.90', b: false },
    ];
    expect(csvOf({ columns: ['a', 'b', 'c'], rows })).toBe('a,b,c\r\n1,true,\r\n19.90,false,\r\n');
    expect(csvOf({ columns: ['a', 'b'], rows: [] })).toBe('a,b\r\n');
  });

  it.each([
    ['\t=1', '"\'\t=1"'],
    ['\u007f', "'\u007f"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['a=1', 'a=1'],
    ["'=1", "'=1"],
    [' \u0000=1', "' \u0000=1"],
    ['\u200b=1', "'\u200b=1"],
    ['\u2800=1', "'\u2800=1"],
    ['\u00a0\ufeff+1', "'\u00a0\ufeff+1"],
    ['\uff1d1+1', "'\uff1d1+1"],
    ['\u22121', "'\u22121"],
    ['x;=HYPERLINK("y")', '"x;=HYPERLINK(""y"")"'],
    ['a\tb', '"a\tb"'],
    [' a', ' a'],
    ['say "hi"', '"say ""hi"""'],
    ['\ud800x', '\ufffdx'],
  ])('writes %j as %j', (value, expected) => expect(cellOf(value)).toBe(expected));

  it('reads back as it was, but for what would begin as a formula', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'=+-@,"\'\r\n\t\u0000a') }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ a: text, b: text }), { maxLength: 8 }), (rows) => {
        const [header, ...read] = parse(csvOf({ columns: ['a', 'b'], rows }));
        expect(header).toEqual(['a', 'b']);
        expect(read).toHaveLength(rows.length);
        for (const [index, cells] of read.entries()) {
          const values = [rows[index]?.a, rows[index]?.b].map((value = '') => value.toWellFormed());
          expect(cells.map((cell, i) => (cell === values[i] ? cell : cell.slice(1)))).toEqual(values);
          for (const cell of cells) expect(cell).not.toMatch(/^[\s\p{Cc}\p{Cf}]*[-=+@\uff1d]/u);
        }
      }),
    );
  });
});
