import type { EInvoice } from './model.ts';
import { type Rule, rule } from './rule.ts';

/** Rules of XRechnung, which Peppol repeats for sellers and buyers in Germany. @param idOf `2` is `BR-DE-2` or `DE-R-002` */
export function germanRules(idOf: (number: number) => string): Rule[] {
  const needed = (number: number, path: string, message: string, termOf: (invoice: EInvoice) => unknown) =>
    rule(idOf(number), path, message, (invoice) => termOf(invoice) !== null);
  return [
    needed(2, 'seller', 'The seller needs a contact: name, phone and email.', ({ seller }) => seller.contact),
    needed(3, 'seller.city', 'The seller needs a city.', ({ seller }) => seller.address.city),
    needed(4, 'seller.postalCode', 'The seller needs a postal code.', ({ seller }) => seller.address.postCode),
    needed(
      5,
      'seller.contactName',
      'The contact of the seller needs a name.',
      ({ seller }) => seller.contact?.point ?? null,
    ),
    needed(
      6,
      'seller.phone',
      'The contact of the seller needs a phone number.',
      ({ seller }) => seller.contact?.telephone ?? null,
    ),
    needed(
      7,
      'seller.email',
      'The contact of the seller needs an email address.',
      ({ seller }) => seller.contact?.email ?? null,
    ),
    needed(8, 'customer.city', 'The buyer needs a city.', ({ buyer }) => buyer.address.city),
    needed(9, 'customer.postalCode', 'The buyer needs a postal code.', ({ buyer }) => buyer.address.postCode),
    rule(
      idOf(10),
      'customer.city',
      'The place of delivery needs a city, which is that of the buyer.',
      ({ deliverTo }) => deliverTo?.city !== null,
    ),
    rule(
      idOf(11),
      'customer.postalCode',
      'The place of delivery needs a postal code, which is that of the buyer.',
      ({ deliverTo }) => deliverTo?.postCode !== null,
    ),
    needed(
      15,
      'customer.buyerReference',
      'The buyer needs a reference, such as a Leitweg-ID.',
      ({ buyerReference }) => buyerReference,
    ),
    rule(
      idOf(16),
      'seller.vatNumber',
      'The seller needs a VAT id or a tax number.',
      ({ seller, vatBreakdowns }) =>
        seller.vatIdentifier !== null ||
        seller.taxRegistration !== null ||
        vatBreakdowns.every(({ categoryCode }) => categoryCode === 'O'),
    ),
  ];
}
