import * as v from 'valibot';
import { shownCustomer, shownSeller } from '#shared/contract/details.ts';
import { figure, percentage } from '#shared/contract/fields.ts';
import { component, described, nullableText } from '#shared/contract/meaning.ts';
import { taxCategory } from '#shared/contract/tax.ts';
import { LOCALES } from '#shared/domain/locale.ts';

/** What invoices and credit notes show alike, in a module of its own, so that functions of one do not carry the other. */

export const locale = v.picklist(LOCALES);

export const customer = v.pipe(
  v.object({
    name: described(v.string(), 'The name of the client.'),
    ...shownCustomer,
  }),
  v.title('Customer'),
);

export const seller = v.pipe(
  v.object({ name: described(v.string(), 'The name of the organization.'), ...shownSeller }),
  v.title('Seller'),
);

const tax = component('Tax', 'The tax of one category and rate.', {
  taxCategory: described(taxCategory, 'The category of the lines.'),
  taxRate: described(percentage, 'The rate in percent, without trailing zeros; `0` where the lines have none.'),
  base: described(figure, 'The sum of the lines with this category and rate, after the discount.'),
  amount: described(figure, 'The tax of these lines, as `taxRounding` says.'),
  exemptionReason: nullableText(
    'Why no tax is due: the first reason that a line gives, else a standard text in the language of the invoice. Null for a category that needs none.',
  ),
});

export const taxes = v.array(tax);
