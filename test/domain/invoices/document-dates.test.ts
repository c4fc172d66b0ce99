import { describe, expect, it } from 'vitest';
import { assertIssueDate, assertPaymentDate, firstOpenDate } from '#shared/domain/invoices/document-dates.ts';
import { refused } from '#test/support/refusals.ts';

const today = '2026-11-20';
const anyOrder = { today, isInOrder: false };
const inOrder = { today, isInOrder: true };

describe('a document', () => {
  it('is of a month ahead at most', () => {
    expect(() => assertIssueDate('2026-12-21', anyOrder, null)).not.toThrow();
    expect(() => assertIssueDate('2026-12-22', anyOrder, null)).toThrow(
      refused('invalid_issue_date', 'issueDate', 'It is 2026-12-22, and may be 2026-12-21 at the latest.'),
    );
  });

  it('is of no day before that of the last number, where numbers are in the order of dates', () => {
    const last = '2026-11-10';
    expect(() => assertIssueDate('2026-11-09', anyOrder, last)).not.toThrow();
    expect(() => assertIssueDate('2026-11-09', inOrder, null)).not.toThrow();
    expect(() => assertIssueDate(last, inOrder, last)).not.toThrow();
    expect(() => assertIssueDate('2026-11-09', inOrder, last)).toThrow(
      refused('issue_date_before_last', 'issueDate', 'It is 2026-11-09, and the last number is of 2026-11-10.'),
    );
  });

  it.each([
    ['2026-11-09', inOrder, '2026-11-10', '2026-11-10'],
    ['2026-11-11', inOrder, '2026-11-10', '2026-11-11'],
    ['2026-11-09', anyOrder, '2026-11-10', '2026-11-09'],
  ])('may be of the first date from %s on that is open', (date, dating, last, first) => {
    expect(firstOpenDate(date, dating, last)).toBe(first);
  });
});

it('a payment is of tomorrow at most', () => {
  expect(() => assertPaymentDate('2026-11-21', today)).not.toThrow();
  expect(() => assertPaymentDate('2026-11-22', today)).toThrow(
    refused('invalid_payment_date', 'date', 'It is 2026-11-22, and may be 2026-11-21 at the latest.'),
  );
});
