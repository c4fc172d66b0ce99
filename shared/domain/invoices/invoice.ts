import type { Client } from '#shared/domain/clients/client.ts';
import type { Locale } from '#shared/domain/locale.ts';
import { type Metadata, type MetadataChanges, mergedMetadata, NO_METADATA } from '#shared/domain/metadata.ts';
import { type Decimal, formatMinor } from '#shared/domain/money.ts';
import { type Organization, type Seller, sellerOf } from '#shared/domain/organization/organization.ts';
import { fault, Problem } from '#shared/domain/problems.ts';
import { revised } from '#shared/domain/revised.ts';
import type { TaxCategory, TaxRounding } from '#shared/domain/tax.ts';
import { dateIn, UTC } from '#shared/domain/time-zone.ts';
import { type IsoDate, plusDays } from '#shared/domain/tracker/work-time.ts';
import { type TaxShare, type Totals, totalsOf } from './figures.ts';
import { type Customer, customerOf, type Parties } from './parties.ts';
import { type ServiceDates, serviceDatesOf } from './service-dates.ts';
import { assertLegal, type InvoiceStatus, stepOfChange } from './steps.ts';

/** A copy of a product, of tracked time, or of the caller's values. */
export interface LineItem extends ServiceDates {
  readonly id: string;
  readonly productId: string | null;
  /** Empty unless the line bills tracked time. */
  readonly entryIds: readonly string[];
  readonly name: string;
  readonly description: string;
  /** Hours of tracked time. */
  readonly quantity: Decimal;
  /** Of tracked time of which rounding bills others; else null. */
  readonly workedMinutes: number | null;
  readonly unit: string;
  readonly price: Decimal;
  readonly taxRate: Decimal | null;
  readonly taxCategory: TaxCategory | null;
  readonly taxExemptionReason: string | null;
  /** Before tax. */
  readonly amount: Decimal;
}

export interface ShownLine extends LineItem {
  /** The invoice's discount on the amount. */
  readonly discount: Decimal;
}

export const PAYMENT_KINDS = ['payment', 'refund'] as const;

export interface Payment {
  readonly id: string;
  readonly kind: (typeof PAYMENT_KINDS)[number];
  /** Positive, also of a refund. */
  readonly amount: Decimal;
  readonly date: IsoDate;
  readonly method: string | null;
  readonly reference: string | null;
  readonly createdAt: string;
}

/** The printed parts. Amounts have all minor digits of the currency. */
export interface InvoiceDocument extends Totals, ServiceDates {
  /** `INV-000001`; null for a draft. */
  readonly number: string | null;
  readonly status: InvoiceStatus;
  readonly customer: Customer;
  readonly currency: string;
  readonly issueDate: IsoDate;
  readonly dueDate: IsoDate | null;
  readonly purchaseOrder: string | null;
  readonly locale: Locale | null;
  readonly discountPercent: Decimal | null;
  readonly taxRounding: TaxRounding;
  readonly lineItems: readonly ShownLine[];
  readonly taxes: readonly TaxShare[];
  readonly payments: readonly Payment[];
  /** The payments less the refunds. */
  readonly amountPaid: Decimal;
  readonly amountDue: Decimal;
  readonly creditedTotal: Decimal;
  readonly amountToRefund: Decimal;
  readonly isOverdue: boolean;
  /** Where the amount due can be paid. */
  readonly paymentUrl: string | null;
  readonly notes: string | null;
}

/** Members that follow from others, from the payments or from today's date (`presentInvoice`). */
type Derived = 'lineItems' | 'taxes' | 'payments' | 'amountDue' | 'amountToRefund' | 'isOverdue';

export interface Invoice extends Omit<InvoiceDocument, Derived> {
  readonly id: string;
  readonly organizationId: string;
  /** Where the number stands in the order of all; null: where it says itself. */
  readonly numberPlace: string | null;
  /** Kept if the client is deleted. */
  readonly clientId: string;
  readonly seller: Seller;
  readonly lineItems: readonly LineItem[];
  /** Dates that win over those of the lines. */
  readonly ownServiceDates: ServiceDates;
  readonly paymentCount: number;
  readonly creditNoteCount: number;
  readonly externalId: string | null;
  readonly metadata: Metadata;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sentAt: string | null;
  readonly paidAt: string | null;
  readonly voidedAt: string | null;
}

export interface InvoiceTerms extends Partial<ServiceDates> {
  readonly currency?: string;
  readonly issueDate?: IsoDate;
  readonly dueDate?: IsoDate | null;
  readonly purchaseOrder?: string | null;
  readonly locale?: Locale | null;
  readonly discountPercent?: Decimal | null;
  readonly paymentUrl?: string | null;
  readonly notes?: string | null;
  readonly externalId?: string | null;
  readonly metadata?: MetadataChanges;
}

export function invoiceCurrency(named: string | undefined, client: Client, organizationCurrency: string): string {
  return named ?? client.currency ?? organizationCurrency;
}

/** Terms default to the organization's. Null is a choice, and stays null. */
export function newInvoice(
  terms: InvoiceTerms & { readonly currency: string },
  { organization, client }: Parties,
  lineItems: readonly LineItem[],
  id: string,
  now: Date,
): Invoice {
  const {
    currency,
    issueDate = dateIn(organization.timeZone ?? UTC, now),
    purchaseOrder = null,
    discountPercent = null,
    paymentUrl = null,
  } = terms;
  const { dueDate = dueDateOf(issueDate, organization), notes = organization.invoiceNotes } = terms;
  const { locale = organization.locale } = terms;
  const { taxRounding } = organization;
  const { serviceFrom = null, serviceTo = null } = terms;
  const ownServiceDates = { serviceFrom, serviceTo };
  assertDueDate(issueDate, dueDate);
  return {
    id,
    organizationId: client.organizationId,
    number: null,
    numberPlace: null,
    status: 'draft',
    clientId: client.id,
    seller: sellerOf(organization),
    customer: customerOf(client),
    currency,
    issueDate,
    dueDate,
    purchaseOrder,
    locale,
    discountPercent,
    taxRounding,
    lineItems,
    ownServiceDates,
    ...serviceDatesOf(ownServiceDates, lineItems),
    ...totalsOf(lineItems, { currency, discountPercent, taxRounding }),
    amountPaid: formatMinor(0n, currency),
    paymentCount: 0,
    creditedTotal: formatMinor(0n, currency),
    creditNoteCount: 0,
    paymentUrl,
    notes,
    externalId: terms.externalId ?? null,
    metadata: mergedMetadata(NO_METADATA, terms.metadata),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    sentAt: null,
    paidAt: null,
    voidedAt: null,
  };
}

function dueDateOf(issueDate: string, { paymentTermsDays }: Organization): string | null {
  return paymentTermsDays === null ? null : plusDays(issueDate, paymentTermsDays);
}

export type InvoiceChanges = Partial<Omit<InvoiceTerms, 'currency'>>;

/** @param lineItems all lines after the PATCH; undefined keeps them */
export function reviseInvoice(
  invoice: Invoice,
  { externalId = invoice.externalId, metadata: facts, ...changes }: InvoiceChanges,
  lineItems: readonly LineItem[] | undefined,
  now: Date,
): Invoice {
  const named = { ...invoice, externalId, metadata: mergedMetadata(invoice.metadata, facts) };
  const step = lineItems ? 'change' : stepOfChange(changes);
  if (step === undefined) return revised(invoice, named, now);
  assertLegal(invoice, step);
  const { serviceFrom, serviceTo, ...terms } = { ...invoice.ownServiceDates, ...changes };
  const changed = {
    ...named,
    ...terms,
    ownServiceDates: { serviceFrom, serviceTo },
    lineItems: lineItems ?? invoice.lineItems,
  };
  assertDueDate(changed.issueDate, changed.dueDate);
  const dates = serviceDatesOf(changed.ownServiceDates, changed.lineItems);
  return revised(invoice, { ...changed, ...dates, ...totalsOf(changed.lineItems, changed) }, now);
}

function assertDueDate(issueDate: string, dueDate: string | null): void {
  if (dueDate === null || issueDate <= dueDate) return;
  throw fault('invalid_date_range', 'dueDate', 'dueDate must not be earlier than issueDate.');
}

/** The numbers of the client's entries in the wanted days that cannot be billed, each by the first of these reasons. */
export interface Skipped {
  readonly notBillable: number;
  readonly noRate: number;
  readonly otherCurrency: number;
  readonly invoiced: number;
}

export function invoiceEmpty(skipped: Skipped): Problem {
  const { notBillable, noRate, otherCurrency, invoiced } = skipped;
  const reasons = [
    notBillable > 0 && `${notBillable} not billable`,
    noRate > 0 && `${noRate} without a rate`,
    otherCurrency > 0 && `${otherCurrency} in another currency`,
    invoiced > 0 && `${invoiced} on an invoice`,
  ].filter(Boolean);
  const leftOut = reasons.length > 0 ? ` Entries left out: ${reasons.join(', ')}.` : '';
  const detail = `No unbilled billable time was found, and there is no other line.${leftOut}`;
  const errors = [{ path: 'timeEntries', message: detail, code: 'invoice_empty' }];
  return new Problem('invoice_empty', { detail, errors, extensions: { skipped } });
}

/** A request needs some seconds to take this many. */
export const MAX_INVOICE_ENTRIES = 10_000;
