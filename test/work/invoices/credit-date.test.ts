import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { planCredit } from '#shared/work/invoices/credit-invoice.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';

it('an invoice that cannot be credited is refused before anything else is read', async () => {
  const ana = await given.user();
  const draft = await readInvoice(ana.organization.id, (await given.invoice(ana)).id);
  const wanted = { draft: { reason: 'wrong', releaseEntries: false }, now: new Date(), newId: randomUUID };
  const refused = () => expect(planCredit(draft, wanted)).rejects.toMatchObject({ code: 'invoice_state_forbids' });
  expect((await costOf(refused)).calls).toBe(0);
});

it('the date of a credit note that names none follows the series of that date, not of today', async () => {
  const ana = await given.user();
  const numbering = { format: 'C{yyyy}-{n}' };
  await ana.patch('/v1/organization', { chronologicalNumbers: true, creditNoteNumbering: numbering });
  const year = new Date().getFullYear();
  const sent = () => given.sentInvoice(ana, { issueDate: `${year}-01-01` });
  const [{ id: first }, { id: second }] = [await sent(), await sent()];
  const issueDate = `${year}-01-15`;
  await given.creditNote(ana, first, { issueDate });
  const now = new Date(`${year - 1}-12-20T12:00:00Z`);
  const wanted = { draft: { reason: 'wrong', releaseEntries: false }, now, newId: randomUUID };
  const { creditNote } = await planCredit(await readInvoice(ana.organization.id, second), wanted);
  expect(creditNote).toMatchObject({ issueDate, number: `C${year}-2` });
});
