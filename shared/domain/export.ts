import { bytesInAnswer, MAX_ANSWER_BYTES } from './answer-size.ts';
import { fault, type Problem } from './problems.ts';

export const MAX_EXPORT_ROWS = 10_000;

/** A smaller file may still be too large for an answer, because quotation marks are escaped there. */
const MAX_EXPORT_BYTES = 5_000_000;

export function assertRowsFit(rows: number): void {
  if (rows <= MAX_EXPORT_ROWS) return;
  throw exportTooLarge(`There are ${rows} rows, and an export has at most ${MAX_EXPORT_ROWS}`);
}

export function assertFileFits(file: string): void {
  if (Buffer.byteLength(file) <= MAX_EXPORT_BYTES && bytesInAnswer(file) <= MAX_ANSWER_BYTES) return;
  throw exportTooLarge('The file would have more than 5 MB, or more than a function can send');
}

function exportTooLarge(reason: string): Problem {
  return fault('export_too_large', 'dateFrom', `${reason}: ask for a narrower range.`);
}
