import { expect, it } from 'vitest';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readParties } from '#shared/data/invoices/parties.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';

it('a list reads the clients of its drafts, and of what was sent none', async () => {
  const ana = await given.user();
  const organizationId = ana.organization.id;
  const { seller: _, ...draft } = await readInvoice(organizationId, (await given.invoice(ana)).id);
  const sent = await readInvoice(organizationId, (await given.sentInvoice(ana)).id);
  const { calls, readUnits } = await costOf(() => readParties(organizationId, [draft, sent, sent]));
  expect({ calls, readUnits }).toEqual({ calls: 2, readUnits: 2 });
  expect((await costOf(() => readParties(organizationId, [sent]))).calls).toBe(0);
});
