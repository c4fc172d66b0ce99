/** Tables as CSV (RFC 4180). */

type Cell = string | number | boolean | null | undefined;

export interface Table {
  readonly columns: readonly string[];
  /** A row may have other members, which are left out. */
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** A header row, then the rows. Each ends with CR LF. A cell without a value is empty. */
export function csvOf({ columns, rows }: Table): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/** A spreadsheet may take such a cell for a formula, and a control character may hide the sign behind it. */
const RISKY = /^[-=+@\p{Cc}]/u;

/** RFC 4180, section 2: only such a cell has to stand in quotation marks. */
const QUOTED = /[",\r\n]/;

function cellOf(value: Cell): string {
  const text = String(value ?? '').toWellFormed();
  const harmless = RISKY.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
