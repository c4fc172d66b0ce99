import * as v from 'valibot';
import { customer } from '#shared/contract/invoices/invoice.ts';
import { known } from '#shared/data/table/known.ts';
import { sparse } from '#shared/data/table/sparse.ts';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';
import { LOCALES } from '#shared/domain/locale.ts';
import { TAX_CATEGORIES, TAX_ROUNDINGS } from '#shared/domain/tax.ts';

/** Values that invoices and credit notes have alike, as they are stored. */

export const storedCustomer = sparse(
  v.object({ ...customer.entries, eInvoiceFormat: v.nullable(known(E_INVOICE_FORMATS, null)) }),
);

export const storedTerms = {
  locale: v.nullable(known(LOCALES, null)),
  taxRounding: known(TAX_ROUNDINGS, 'line'),
};

/** The category of a line. A line without one makes no e-invoice. */
export const storedCategory = { taxCategory: v.nullable(known(TAX_CATEGORIES, null)) };
