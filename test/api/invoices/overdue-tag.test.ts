import { expect, it, vi } from 'vitest';
import { getInvoice } from '#shared/contract/invoices/get-invoice.ts';
import { given } from '#test/support/given.ts';
import { invokeWith } from '#test/support/invoke.ts';

it('the tag of an invoice changes on the day when it is overdue, without a write', async () => {
  const ana = await given.user();
  const { id } = await given.sentInvoice(ana, { issueDate: '2026-11-01', dueDate: '2099-12-31' });
  const shownOn = async (day: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T12:00:00Z`) });
    try {
      const { headers, body } = await invokeWith(getInvoice, `Bearer ${ana.apiKey}`, { params: { id } });
      return { tag: headers.get('etag'), isOverdue: body.data.isOverdue };
    } finally {
      vi.useRealTimers();
    }
  };
  const [due, stillDue, overdue] = [
    await shownOn('2099-12-30'),
    await shownOn('2099-12-31'),
    await shownOn('2100-01-01'),
  ];
  expect([due, stillDue, overdue].map(({ isOverdue }) => isOverdue)).toEqual([false, false, true]);
  expect(stillDue.tag).toBe(due.tag);
  expect(overdue.tag).not.toBe(due.tag);
});
