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

/** Spreadsheets take such a cell for a formula; a control character may hide the sign behind it. */
const RISKY = /^[-=+@\p{Cc}]/u;

const QUOTED = /[",\r\n]/;

function cellOf(value: Cell): string {
  const text = String(value ?? '').toWellFormed();
  const harmless = RISKY.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
