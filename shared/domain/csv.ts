type Cell = string | number | boolean | null | undefined;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** RFC 4180: a header row, then the rows, each with CR LF at its end. */
export function csvOf({ columns, rows }: Table): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/** Spreadsheets take such a cell for a formula: a sign of any width may hide behind characters that they skip. */
const RISKY =
  /^(?:\p{Cc}|[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[-=+@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20])/u;

/** RFC 4180, section 2; and separators of spreadsheets in other languages, behind which a formula could begin. */
const QUOTED = /[",;\t\r\n]/;

function cellOf(value: Cell): string {
  const text = String(value ?? '').toWellFormed();
  const harmless = RISKY.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
