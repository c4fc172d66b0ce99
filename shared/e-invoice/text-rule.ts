import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import type { EInvoice, Party } from './model.ts';
import type { Rule } from './rule.ts';
import { isXmlText } from './xml.ts';

/** All texts of callers that are in the file can be written. */
export const TEXT_RULE: Rule = (invoice, document) => {
  const message = 'The text has a character that XML does not have, such as a control character.';
  return textsOf(invoice, document)
    .filter(([, text]) => !isXmlText(text ?? ''))
    .map(([path]) => ({ path, rule: 'xml_character', message }));
};

type Texts = readonly (readonly [path: string, text: string | null | undefined])[];

function textsOf(invoice: EInvoice, document: PrintedInvoice): Texts {
  const { seller, buyer, payment, vatBreakdowns } = invoice;
  const reasons = new Set(vatBreakdowns.map(({ exemptionReason }) => exemptionReason));
  return [
    [seller.name === document.seller.name ? 'seller.name' : 'seller.legalName', seller.name],
    ['seller.name', seller.tradingName],
    ...partyTexts('seller', seller),
    ['seller.taxNumber', seller.taxRegistration],
    ['seller.registrationNumber', seller.legalRegistration?.id],
    ['seller.contactName', seller.contact?.point],
    ['seller.accountName', payment.account?.name],
    ['seller.bankDetails', invoice.paymentTerms],
    ['customer.name', buyer.name],
    ...partyTexts('customer', buyer),
    ['customer.contact', buyer.contact?.point],
    ['customer.buyerReference', invoice.buyerReference],
    [document.corrects ? 'reason' : 'notes', invoice.note],
    ['purchaseOrder', invoice.purchaseOrderReference],
    ...invoice.lines.flatMap(({ itemName, itemDescription }, position): Texts => {
      const path = `lineItems.${position}`;
      const reason = document.lineItems[position]?.taxExemptionReason ?? null;
      return [
        [`${path}.name`, itemName],
        [`${path}.description`, itemDescription],
        [`${path}.taxExemptionReason`, reasons.has(reason) ? reason : null],
      ];
    }),
  ];
}

function partyTexts(path: string, { vatIdentifier, electronicAddress, address, contact }: Party): Texts {
  return [
    [`${path}.addressLine1`, address.line1],
    [`${path}.addressLine2`, address.line2],
    [`${path}.city`, address.city],
    [`${path}.region`, address.subdivision],
    [`${path}.postalCode`, address.postCode],
    [`${path}.email`, contact?.email],
    [`${path}.phone`, contact?.telephone],
    [`${path}.vatNumber`, vatIdentifier],
    [`${path}.electronicAddress.id`, electronicAddress?.id],
  ];
}
