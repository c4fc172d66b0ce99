import * as v from 'valibot';
import { customerMembers } from '#shared/data/clients/clients.ts';
import { sellerMembers } from '#shared/data/organization/organizations.ts';
import { known } from '#shared/data/table/known.ts';
import { days, nullableDays, nullableTexts, texts } from '#shared/data/table/members.ts';
import { sparse } from '#shared/data/table/sparse.ts';
import { LOCALES } from '#shared/domain/locale.ts';
import { TAX_CATEGORIES, TAX_ROUNDINGS } from '#shared/domain/tax.ts';

/** Values that invoices and credit notes have alike, as they are stored. */

const storedCustomer = sparse(v.object(customerMembers));

export const storedSeller = sparse(v.object(sellerMembers));

export const documentMembers = {
  ...texts('organizationId', 'clientId', 'currency', 'createdAt'),
  ...days('issueDate'),
  ...nullableDays('serviceFrom', 'serviceTo'),
  ...nullableTexts('purchaseOrder', 'discountPercent'),
  ...texts('discountTotal', 'subtotal', 'taxTotal', 'total'),
  customer: storedCustomer,
  locale: v.nullable(known(LOCALES, null)),
  taxRounding: known(TAX_ROUNDINGS, 'line'),
};

export const lineMembers = {
  ...texts('id', 'name', 'description', 'quantity', 'unit', 'price', 'amount'),
  ...nullableTexts('productId', 'taxRate', 'taxExemptionReason'),
  ...nullableDays('serviceFrom', 'serviceTo'),
  entryIds: v.array(v.string()),
  workedMinutes: v.nullable(v.number()),
  /** A line without one makes no e-invoice. */
  taxCategory: v.nullable(known(TAX_CATEGORIES, null)),
};
