import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { creditNotePuts } from '#shared/data/invoices/credit-notes.ts';
import { insertion } from '#shared/data/invoices/invoice-items.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { savePayment } from '#shared/data/invoices/payments.ts';
import { assign, change, EXISTS } from '#shared/data/table/writes.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { entryWrites } from '#shared/data/tracker/entry-items.ts';
import { creditInvoice } from '#shared/domain/invoices/credit-note.ts';
import { recordPayment } from '#shared/domain/invoices/payments.ts';
import { given } from '#test/support/given.ts';
import { FIRST_CREDIT } from '#test/support/invoice-sources.ts';

/** A value that no rule of the domain makes, where one would sometime. */
const NO_DATE = 'yesterday';

const now = new Date('2026-11-20T12:00:00.000Z');

describe('what its room cannot read', () => {
  it('is not written of a payment', async () => {
    const ana = await given.user();
    const { id } = await given.sentInvoice(ana);
    const invoice = await readInvoice(ana.organization.id, id);
    const draft = { amount: '1.00', date: NO_DATE, method: null, reference: null };
    const recorded = recordPayment(invoice, 'payment', draft, uuidV7(), now);
    await expect(savePayment(invoice, recorded, [])).rejects.toThrow('date');
    expect((await ana.get(`/invoices/${id}/payments`)).body.data).toEqual([]);
    expect((await ana.get(`/invoices/${id}`)).body.data.amountPaid).toBe('0.00');
  });

  it('is not written of an invoice or a credit note, whether its lines lie in the head or are packed', async () => {
    const ana = await given.user();
    const { id } = await given.sentInvoice(ana);
    const { lineItems, ...invoice } = await readInvoice(ana.organization.id, id);
    for (const copies of [lineItems, Array.from({ length: 100 }, () => lineItems).flat()]) {
      const whole = { ...invoice, lineItems: copies.map((line) => ({ ...line, id: uuidV7() })) };
      const dated = whole.lineItems.map((line) => ({ ...line, serviceFrom: NO_DATE }));
      await expect(insertion(whole, null)).resolves.toBeDefined();
      await expect(insertion({ ...whole, lineItems: dated }, null)).rejects.toThrow('date');
      const sources = { ...FIRST_CREDIT, id: uuidV7(), newId: uuidV7 };
      const { creditNote } = creditInvoice(whole, { reason: 'x', releaseEntries: true }, sources, now);
      await expect(creditNotePuts(creditNote)).resolves.toBeDefined();
      const [first, ...others] = creditNote.lineItems.map((line) => ({ ...line, serviceFrom: NO_DATE }));
      const broken = { ...creditNote, lineItems: first ? [first, ...others] : [] };
      await expect(creditNotePuts(broken)).rejects.toThrow('date');
    }
  });

  it('is not written by a change', () => {
    const read = v.parser(v.object({ hours: v.number() }));
    const itemOf = (hours: number) => ({ pk: 'a', sk: 'b', hours });
    const writesOf = (after: ReturnType<typeof itemOf>) => [
      () => change(itemOf(1), after, read, EXISTS),
      () => assign(after, read),
    ];
    for (const write of writesOf(itemOf(2))) expect(write).not.toThrow();
    for (const write of writesOf(itemOf(Number.NaN))) expect(write).toThrow('Expected number');
  });

  it('is not written of an entry', async () => {
    const ana = await given.user();
    const after = await readEntry(ana.organization.id, (await given.entry(ana)).id);
    expect(() => entryWrites({ before: null, after })).not.toThrow();
    expect(() => entryWrites({ before: null, after: { ...after, durationMinutes: Number.NaN } })).toThrow();
  });
});
