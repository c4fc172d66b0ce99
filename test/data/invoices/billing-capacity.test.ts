import { expect, it } from 'vitest';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { given } from '#test/support/given.ts';

it('entries that would take too long to bill are refused, and can be billed in parts', {
  timeout: 60_000,
}, async () => {
  const bea = await given.user();
  const client = await given.client(bea);
  const project = await given.project(bea, { clientId: client.id });
  // Two thirds are billable. Each takes 26 of the 20,000 write units that its day has time for.
  const ids = await bookEntries(bea, project, 1_158, ['2026-11-02'], '각'.repeat(2_000));
  const billable = ids.filter((_, i) => i % 3 > 0);
  const timeEntries = { dateFrom: '2026-11-01', dateTo: '2026-11-30', groupBy: 'project' };
  const refused = { status: 400, code: 'billing_too_large' };
  const { status, body } = await bea.post('/invoices', { clientId: client.id, timeEntries });
  expect({ status, code: body.code }).toEqual(refused);
  expect(body.detail).toContain('bill about 769 on');
  const draft = await given.invoice(bea, { clientId: client.id });
  const change = await bea.patch(`/invoices/${draft.id}`, { lineItems: [{ name: 'Work', entryIds: billable }] });
  expect({ status: change.status, code: change.body.code }).toEqual(refused);
  expect((await bea.get('/invoices')).body.meta.total).toBe(1);
  const some = [{ name: 'Work', entryIds: billable.slice(0, 400) }];
  expect((await bea.patch(`/invoices/${draft.id}`, { lineItems: some })).status).toBe(200);
  const rest = await bea.post('/invoices', { clientId: client.id, timeEntries });
  expect(rest.body.data.lineItems[0].entryIds).toHaveLength(372);
});
