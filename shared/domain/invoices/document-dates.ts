import { fault } from '#shared/domain/problems.ts';
import { type IsoDate, plusDays } from '#shared/domain/tracker/work-time.ts';

/** Which dates a document, or a payment, can have. A date far ahead is a slip of the pen that nobody can take back. */

/** Payroll and banks date ahead by a day, and invoices are prepared for the month to come. */
const MOST_DAYS_AHEAD = { payment: 1, issue: 31 } as const;

export interface Dating {
  readonly today: IsoDate;
  /** Whether numbers are in the order of dates. */
  readonly isInOrder: boolean;
}

/** @returns the first date from a given one on that a document may have @param last as {@link assertIssueDate} takes it */
export function firstOpenDate(date: IsoDate, { isInOrder }: Dating, last: IsoDate | null): IsoDate {
  return isInOrder && last !== null && last > date ? last : date;
}

/**
 * @param last the date up to which numbers were given; null for none
 * @throws Problem `invalid_issue_date`, `issue_date_before_last`
 */
export function assertIssueDate(issueDate: IsoDate, { today, isInOrder }: Dating, last: IsoDate | null): void {
  const latest = plusDays(today, MOST_DAYS_AHEAD.issue);
  if (issueDate > latest) {
    throw fault('invalid_issue_date', 'issueDate', `It is ${issueDate}, and may be ${latest} at the latest.`);
  }
  if (!isInOrder || last === null || issueDate >= last) return;
  throw fault('issue_date_before_last', 'issueDate', `It is ${issueDate}, and the last number is of ${last}.`);
}

/** @throws Problem `invalid_payment_date` */
export function assertPaymentDate(date: IsoDate, today: IsoDate): void {
  const latest = plusDays(today, MOST_DAYS_AHEAD.payment);
  if (date <= latest) return;
  throw fault('invalid_payment_date', 'date', `It is ${date}, and may be ${latest} at the latest.`);
}
