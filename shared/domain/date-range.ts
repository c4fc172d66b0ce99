import { Problem } from './problems.ts';

/**
 * @param dateFrom `YYYY-MM-DD`
 * @param dateTo `YYYY-MM-DD`
 * @param path of the object that has them; the request itself by default
 * @throws Problem `invalid_date_range` when the range ends before it begins
 */
export function assertRange(dateFrom: string | undefined, dateTo: string | undefined, path?: string): void {
  if (dateFrom === undefined || dateTo === undefined || dateFrom <= dateTo) return;
  const message = 'dateFrom must not be later than dateTo.';
  throw new Problem('invalid_date_range', {
    detail: message,
    errors: [{ path: path ? `${path}.dateFrom` : 'dateFrom', message, code: 'invalid_date_range' }],
  });
}
