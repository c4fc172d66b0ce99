import { Problem } from './problems.ts';

/** @throws Problem `invalid_date_range` when the range, of dates as `YYYY-MM-DD`, ends before it begins */
export function assertRange(dateFrom: string | undefined, dateTo: string | undefined): void {
  if (dateFrom === undefined || dateTo === undefined || dateFrom <= dateTo) return;
  const message = 'dateFrom must not be later than dateTo.';
  throw new Problem('invalid_date_range', {
    detail: message,
    errors: [{ path: 'dateFrom', message, code: 'invalid_date_range' }],
  });
}
