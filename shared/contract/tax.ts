import * as v from 'valibot';
import { TAX_CATEGORIES, TAX_ROUNDINGS } from '#shared/domain/tax.ts';
import { trimmedText } from './fields.ts';
import { described, nullableText } from './meaning.ts';

/** The tax of products and of lines alike. */

export const taxCategory = v.picklist(TAX_CATEGORIES);

export const taxRounding = v.picklist(TAX_ROUNDINGS);

export const shownTax = {
  taxCategory: described(
    v.nullable(taxCategory),
    'Why this rate applies. By default `standard` with a rate above 0, `zero` with 0, and null without one. `standard` needs a rate above 0; the others have 0 or none.',
  ),
  taxExemptionReason: nullableText(
    'Why no tax is due, as the invoice prints it. An `exempt` line needs one before its invoice is sent; the categories behind `exempt` have a standard text where it is null.',
  ),
};

/** A category of null is the one by default. */
export const taxInput = {
  taxCategory: v.optional(v.nullable(taxCategory)),
  taxExemptionReason: v.optional(v.nullable(trimmedText(300))),
};
