import { formatMinor, parseMinor } from '#shared/domain/money.ts';
import type { Seller } from '#shared/domain/organization/organization.ts';
import { fault } from '#shared/domain/problems.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import {
  type Credited,
  type CreditedTime,
  type CreditFigures,
  creditFigures,
  creditParts,
  hasRest,
  type LineCredit,
} from './crediting.ts';
import type { Invoice } from './invoice.ts';
import { settled } from './payments.ts';
import { creditedDatesOf, type ServiceDates } from './service-dates.ts';
import { assertLegal } from './steps.ts';

export interface CreditNote
  extends CreditFigures,
    ServiceDates,
    Pick<
      Invoice,
      | 'organizationId'
      | 'clientId'
      | 'customer'
      | 'currency'
      | 'purchaseOrder'
      | 'locale'
      | 'taxRounding'
      | 'discountPercent'
    > {
  readonly id: string;
  /** `CN-000001` */
  readonly number: string;
  /** As that of an invoice. */
  readonly numberPlace: string | null;
  readonly invoiceId: string;
  readonly invoiceNumber: string;
  readonly invoiceDate: IsoDate;
  readonly seller: Seller;
  readonly issueDate: IsoDate;
  readonly reason: string;
  readonly createdAt: string;
}

export interface CreditDraft {
  readonly reason: string;
  /** Undefined: all that is left. */
  readonly lines?: readonly LineCredit[];
  readonly issueDate?: IsoDate;
  /** Whether the credited time can be billed again. */
  readonly releaseEntries: boolean;
}

export interface CreditSources {
  readonly credited: Credited;
  /** Finds one of the entries that `entriesToRead` names. */
  readonly timeOf: (entryId: string) => CreditedTime | undefined;
  readonly issueDate: IsoDate;
  readonly number: string;
  readonly numberPlace: string | null;
  readonly id: string;
  readonly newId: () => string;
}

export interface Crediting {
  readonly invoice: Invoice;
  readonly creditNote: CreditNote;
  readonly credited: Credited;
  /** Entries that can be billed again from now on. */
  readonly released: readonly string[];
}

const MAX_CREDIT_NOTES = 100;

/**
 * @throws Problem `invoice_state_forbids`, `too_many_credit_notes`, `reference_not_found`, `invalid_credit_amount`,
 *   `credit_exceeds_line`
 */
export function creditInvoice(invoice: Invoice, draft: CreditDraft, sources: CreditSources, now: Date): Crediting {
  assertCreditable(invoice);
  const { organizationId, clientId, seller, customer, currency, locale, taxRounding, discountPercent } = invoice;
  const { number: invoiceNumber, issueDate: invoiceDate, purchaseOrder } = invoice;
  if (invoiceNumber === null) throw new Error('An invoice that was sent has no number.');
  const parts = creditParts(invoice, sources.credited, draft.lines, sources.timeOf);
  const credited = new Map(sources.credited);
  for (const { line, after } of parts) credited.set(line.id, { ...credited.get(line.id), ...after });
  const figures = creditFigures(invoice, sources.credited, parts, sources.newId);
  const creditNote: CreditNote = {
    id: sources.id,
    organizationId,
    number: sources.number,
    numberPlace: sources.numberPlace,
    invoiceId: invoice.id,
    invoiceNumber,
    invoiceDate,
    clientId,
    seller,
    customer,
    currency,
    locale,
    taxRounding,
    discountPercent,
    issueDate: sources.issueDate,
    ...creditedDatesOf(invoice, figures.lineItems),
    purchaseOrder,
    reason: draft.reason,
    ...figures,
    createdAt: now.toISOString(),
  };
  const creditedMinor = parseMinor(invoice.creditedTotal) + parseMinor(figures.total);
  const changed: Invoice = {
    ...invoice,
    creditedTotal: formatMinor(creditedMinor, currency),
    creditNoteCount: invoice.creditNoteCount + 1,
  };
  const isWhole = invoice.lineItems.every((line) => !hasRest(line, credited.get(line.id)));
  return {
    invoice: isWhole ? { ...changed, status: 'credited', updatedAt: now.toISOString() } : settled(changed, now),
    creditNote,
    credited,
    released: draft.releaseEntries ? parts.flatMap(({ shown }) => shown.entryIds) : [],
  };
}

export function assertCreditable(invoice: Invoice): void {
  assertLegal(invoice, 'credit');
  if (invoice.creditNoteCount < MAX_CREDIT_NOTES) return;
  throw fault('too_many_credit_notes', '', `An invoice has at most ${MAX_CREDIT_NOTES} credit notes.`);
}

/** By default today, unless the invoice is of a later day. @throws Problem `invalid_credit_date` */
export function creditDateOf(
  { issueDate: earliest }: Pick<Invoice, 'issueDate'>,
  { issueDate }: Pick<CreditDraft, 'issueDate'>,
  today: IsoDate,
): IsoDate {
  if (issueDate === undefined) return today < earliest ? earliest : today;
  if (issueDate >= earliest) return issueDate;
  throw fault('invalid_credit_date', 'issueDate', `The invoice is of ${earliest}: its credit cannot be older.`);
}
