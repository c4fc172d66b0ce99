import { bytesInAnswer, MAX_ANSWER_BYTES } from './answer-size.ts';
import { fault, type Problem } from './problems.ts';

/** What an export may have. All of it is one answer. */

export const MAX_EXPORT_ROWS = 10_000;

/** A file of many quotation marks can be shorter, and still be more than a function's answer may have. */
const MAX_EXPORT_BYTES = 5_000_000;

/** @throws Problem `export_too_large` */
export function assertRowsFit(rows: number): void {
  if (rows <= MAX_EXPORT_ROWS) return;
  throw exportTooLarge(`There are ${rows} rows, and an export has at most ${MAX_EXPORT_ROWS}`);
}

/** @throws Problem `export_too_large` */
export function assertFileFits(file: string): void {
  if (Buffer.byteLength(file) <= MAX_EXPORT_BYTES && bytesInAnswer(file) <= MAX_ANSWER_BYTES) return;
  throw exportTooLarge('The file would have more than 5 MB, or more than a function can send');
}

/** @param reason without the period at its end */
function exportTooLarge(reason: string): Problem {
  return fault('export_too_large', 'dateFrom', `${reason}: ask for a narrower range.`);
}
