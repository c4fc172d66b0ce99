import { fault, Problem } from '#shared/domain/problems.ts';

/** How an organization numbers its documents: a text with a position in it, which counts within a series. */

export interface Numbering {
  /** `RE-{yyyy}-{n:4}` */
  readonly format: string;
  /** The position that the next document of today gets; null where its series has ended. */
  readonly next: number | null;
}

/** Null is the default. */
export type NumberingChanges = { readonly format?: string | null; readonly next?: number | null } | null;

export const MAX_POSITION = 999_999_999;

export const DEFAULT_FORMATS = { INVOICE: 'INV-{n:6}', CREDIT_NOTE: 'CN-{n:6}' } as const;

export const MAX_FORMAT_CHARACTERS = 30;

const PLACEHOLDER = /\{(?:n(?::([1-9]))?|(yyyy|yy|mm))\}/g;

const ONCE = ['{yyyy}', '{yy}', '{mm}'] as const;

const hasYear = (format: string): boolean => /\{yy(?:yy)?\}/.test(format);

/** One position, at most one of each part of a date, no month without a year, and no other braces. */
export function isNumberFormat(format: string): boolean {
  const count = (part: string) => format.split(part).length - 1;
  return (
    /^[!-~](?:[ -~]*[!-~])?$/.test(format) &&
    format.length <= MAX_FORMAT_CHARACTERS &&
    (format.match(/\{n(?::[1-9])?\}/g) ?? []).length === 1 &&
    ONCE.every((part) => count(part) <= 1) &&
    (hasYear(format) || count('{mm}') === 0) &&
    !/[{}]/.test(format.replace(PLACEHOLDER, ''))
  );
}

/** @param issueDate `YYYY-MM-DD` */
export function numberOf(format: string, position: number, issueDate: string): string {
  const [year = '', month = ''] = issueDate.split('-');
  const parts: Readonly<Record<string, string>> = { yyyy: year, yy: year.slice(-2), mm: month };
  return format.replace(PLACEHOLDER, (_, width: string | undefined, part: string | undefined) =>
    part === undefined ? String(position).padStart(Number(width ?? 1), '0') : (parts[part] ?? ''),
  );
}

/** The series of a date: a year or a month, as the format names them; empty for one series of all dates. */
export function periodOf(format: string, issueDate: string): string {
  if (!hasYear(format)) return '';
  return issueDate.slice(0, format.includes('{mm}') ? 'YYYY-MM'.length : 'YYYY'.length);
}

/**
 * A new format without a year goes on with the position, and one with a year begins at 1.
 *
 * @param path of the member
 * @throws Problem `number_goes_back`
 */
export function reviseNumbering(
  kind: keyof typeof DEFAULT_FORMATS,
  numbering: Numbering,
  changes: NumberingChanges,
  path: string,
): Numbering {
  const wanted = changes === null ? null : changes.format;
  const format = wanted === undefined ? numbering.format : (wanted ?? DEFAULT_FORMATS[kind]);
  const begins = format !== numbering.format && hasYear(format);
  const lowest = begins ? 1 : numbering.next;
  const next = changes?.next ?? lowest;
  if (next === null || (lowest !== null && next >= lowest)) return { format, next };
  const reason = lowest === null ? 'the series has ended' : `may be ${lowest} at the least`;
  throw fault('number_goes_back', `${path}.next`, `It is ${next}, and ${reason}.`);
}

export function numberTaken(detail: string): Problem {
  return new Problem('number_taken', { detail });
}

const UNSAFE = /[^A-Za-z0-9._-]/g;

/** The number of a document as the name of a file, without its ending. */
export const fileNameOf = (number: string | null): string => (number ?? 'draft').replace(UNSAFE, '-');
