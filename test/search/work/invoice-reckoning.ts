import { isDeepStrictEqual } from 'node:util';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { exactMinor, parseMinor } from '#shared/domain/money.ts';
import { numberOf, periodOf } from '#shared/domain/organization/numbering.ts';
import { amountMinorOf } from '#shared/domain/tracker/entry.ts';
import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { type Invoice, THERE } from './records.ts';
import type { Register } from './register.ts';
import { INVOICES } from './vocabulary.ts';

type Blame = (fault: string) => void;

/**
 * Invoices are what the answers have told, numbered without a gap; an entry is on one of them at most, and shown as invoiced exactly while it is.
 *
 * @param known by their notes
 * @param listed all invoices, as the list shows them
 * @param entries as they lie in the table
 * @param shown the same as the list shows them
 */
export async function compareInvoices(
  by: User,
  known: ReadonlyMap<string, Invoice>,
  listed: readonly Json[],
  { entries, shown }: { entries: readonly StoredEntry[]; shown: readonly Json[] },
  blame: Blame,
): Promise<void> {
  const invoices = await Promise.all(listed.map(async ({ id }) => (await by.get(`${INVOICES}/${id}`)).body.data));
  compareWithAnswers(known, invoices, blame);
  const { format } = (await by.get('/v1/organization')).body.data.invoiceNumbering;
  compareNumbers(format, invoices, blame);
  compareBilled(invoices, shown, blame);
  const amounts = new Map(entries.map((entry) => [entry.id, amountMinorOf(entry)]));
  for (const invoice of invoices) {
    compareAmounts(invoice, amounts, blame);
    const { body } = await by.get(`${INVOICES}/${invoice.id}/payments`, { limit: 100 });
    comparePayments(invoice, body.data, known.get(invoice.notes)?.payments ?? new Map(), blame);
  }
}

/** An entry is on one invoice at most, and shown as invoiced exactly while it is. */
function compareBilled(invoices: readonly Json[], shown: readonly Json[], blame: Blame): void {
  const holders = holdersOf(invoices, blame);
  for (const { id, billingStatus, invoiceId } of shown) {
    const holder = holders.get(id) ?? null;
    if ((billingStatus === 'invoiced') !== (holder !== null) || invoiceId !== holder)
      blame(`The entry ${id} is shown as ${billingStatus} on ${invoiceId}, and is on ${holder}`);
  }
}

/**
 * The invoice says what its payments make, is paid exactly if nothing is due, and has the payments that answers told.
 */
function comparePayments(
  { id, status, total, currency, amountPaid, amountDue }: Json,
  payments: readonly Json[],
  known: ReadonlyMap<string, Register>,
  blame: Blame,
): void {
  const sum = payments.reduce((all, { amount }) => all + (exactMinor(amount, currency) ?? 0n), 0n);
  const due = status === 'void' ? 0n : parseMinor(total) - sum;
  if (parseMinor(amountPaid) !== sum) blame(`The payments of ${id} make ${sum}, and it says ${amountPaid}`);
  if (parseMinor(amountDue) !== due || due < 0n) blame(`Of the invoice ${id} ${due} is due, and it says ${amountDue}`);
  // A draft may be one of entries that were rounded to nothing.
  if ((status === 'paid') !== (due === 0n && status !== 'void' && status !== 'draft'))
    blame(`The invoice ${id} is ${status}, and ${due} is due`);
  if (payments.length > 0 && status !== 'sent' && status !== 'paid') blame(`The ${status} invoice ${id} has payments`);
  const found = Map.groupBy(payments, ({ reference }) => reference);
  for (const [reference, payment] of known) {
    const count = found.get(reference)?.length ?? 0;
    if (count > 1) blame(`The payment ${reference} is there ${count} times`);
    if (!payment.mayLeave(count === 0 ? null : THERE))
      blame(`The payment ${reference} is there ${count} times, unlike ${payment}`);
  }
  for (const reference of found.keys())
    if (reference !== null && !known.has(reference)) blame(`The payment ${reference} comes from nowhere`);
}

function compareWithAnswers(known: ReadonlyMap<string, Invoice>, invoices: readonly Json[], blame: Blame): void {
  const found = Map.groupBy(invoices, ({ notes }) => String(notes));
  for (const [notes, { status, lines }] of known) {
    const [invoice, ...more] = found.get(notes) ?? [];
    if (more.length > 0) blame(`The invoice ${notes} is there ${more.length + 1} times`);
    if (!status.mayLeave(invoice?.status ?? null))
      blame(`The invoice ${notes} is left as ${invoice?.status}, unlike ${status}`);
    if (invoice && !lines.mayLeave(JSON.stringify(invoice.lineItems)))
      blame(`The invoice ${notes} has lines that no answer has shown`);
  }
  for (const notes of found.keys()) if (!known.has(notes)) blame(`The invoice ${notes} comes from nowhere`);
}

/** Each series of the format has its numbers once, from the first on. */
function compareNumbers(format: string, invoices: readonly Json[], blame: Blame): void {
  const sent = invoices.filter(({ number }) => number !== null);
  for (const series of Map.groupBy(sent, ({ issueDate }) => periodOf(format, issueDate)).values()) {
    const numbers = new Set(series.map(({ number }) => number));
    const expected = new Set(series.map(({ issueDate }, i) => numberOf(format, i + 1, issueDate)));
    if (!isDeepStrictEqual(numbers, expected)) blame(`The numbers have a gap: ${[...numbers].join(' ').slice(0, 500)}`);
  }
  for (const { id, number, status } of invoices)
    if ((number === null) !== (status === 'draft'))
      blame(`The invoice ${id} is ${status} and has the number ${number}`);
}

/** @returns the invoice that each entry is on, by their ids; a void invoice keeps its lines, and holds nothing */
function holdersOf(invoices: readonly Json[], blame: Blame): Map<string, string> {
  const holders = new Map<string, string>();
  for (const { id, status, lineItems } of invoices.filter((invoice) => invoice.status !== 'void')) {
    for (const entryId of lineItems.flatMap(({ entryIds }: Json) => entryIds)) {
      const other = holders.get(entryId);
      if (other) blame(`The entry ${entryId} is on ${id} (${status}) and on ${other}`);
      holders.set(entryId, id);
    }
  }
  return holders;
}

function compareAmounts(
  { id, status, lineItems, subtotal, discountTotal }: Json,
  amounts: ReadonlyMap<string, bigint>,
  blame: Blame,
): void {
  const sum = lineItems.reduce((total: bigint, { amount }: Json) => total + parseMinor(amount), 0n);
  const expected = parseMinor(subtotal) + parseMinor(discountTotal);
  if (sum !== expected) blame(`The lines of the invoice ${id} make ${sum}, and it says ${expected}`);
  // Entries that a void invoice has let go of may have changed since.
  if (status === 'void') return;
  for (const { entryIds, amount } of lineItems.filter((line: Json) => line.entryIds.length > 0)) {
    if (!entryIds.every((entryId: string) => amounts.has(entryId))) blame(`An entry of the invoice ${id} is gone`);
    const minor = entryIds.reduce((total: bigint, entryId: string) => total + (amounts.get(entryId) ?? 0n), 0n);
    if (minor !== parseMinor(amount)) blame(`A line of the invoice ${id} says ${amount}, its entries make ${minor}`);
  }
}
