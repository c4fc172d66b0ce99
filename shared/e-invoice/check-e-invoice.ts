import type { EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { minorDigits } from '#shared/domain/money.ts';
import { CORE_RULES } from './core-rules.ts';
import { eInvoiceOf } from './document-model.ts';
import { germanRules } from './german-rules.ts';
import { NATIONAL_RULES } from './national-rules.ts';
import { PEPPOL_RULES, SHARED_RULES } from './peppol-rules.ts';
import type { Usage } from './profiles.ts';
import type { Finding, Rule } from './rule.ts';
import { isXmlText } from './xml.ts';

export type { Finding } from './rule.ts';

const MINOR_DIGITS = 2;

/**
 * All that a receiver's validator would refuse in the file: none if it is valid. The number of a draft is not missed.
 */
export function checkEInvoice(document: PrintedInvoice, format: EInvoiceFormat): Finding[] {
  const { currency } = document;
  if (minorDigits(currency) !== MINOR_DIGITS) {
    const message = `Amounts of an e-invoice have two digits after the point, and those in ${currency} do not.`;
    return [{ path: 'currency', rule: 'currency_not_supported', message }];
  }
  const invoice = eInvoiceOf(document, format);
  const broken = RULES[invoice.profile.usage].flatMap((rule) => rule(invoice, document));
  return [...broken, ...unwritableTexts(document)];
}

const RULES: Readonly<Record<Usage, readonly Rule[]>> = {
  core: CORE_RULES,
  xrechnung: [...CORE_RULES, ...SHARED_RULES, ...germanRules((number) => `BR-DE-${number}`)],
  peppol: [...CORE_RULES, ...PEPPOL_RULES, ...NATIONAL_RULES],
};

/** Looks at the texts of callers that can be in a file. */
function unwritableTexts({ seller, customer, lineItems, notes, purchaseOrder, corrects }: PrintedInvoice): Finding[] {
  return [
    ...unwritable('seller.', SELLER_TEXTS, seller),
    ...unwritable('seller.electronicAddress.', ['id'], seller.electronicAddress ?? { id: null }),
    ...unwritable('customer.', CUSTOMER_TEXTS, customer),
    ...unwritable('customer.electronicAddress.', ['id'], customer.electronicAddress ?? { id: null }),
    ...unwritable('', ['notes', 'purchaseOrder', 'reason'], { notes, purchaseOrder, reason: corrects?.reason ?? null }),
    ...lineItems.flatMap((line, position) => unwritable(`lineItems.${position}.`, LINE_TEXTS, line)),
  ];
}

const PARTY_TEXTS = [
  'name',
  'addressLine1',
  'addressLine2',
  'city',
  'region',
  'postalCode',
  'email',
  'phone',
  'vatNumber',
] as const;

const SELLER_TEXTS = [
  ...PARTY_TEXTS,
  'legalName',
  'taxNumber',
  'registrationNumber',
  'accountName',
  'contactName',
] as const;

const CUSTOMER_TEXTS = [...PARTY_TEXTS, 'contact', 'buyerReference'] as const;

const LINE_TEXTS = ['name', 'description', 'taxExemptionReason'] as const;

function unwritable<Member extends string>(
  path: string,
  members: readonly Member[],
  texts: Readonly<Record<Member, string | null>>,
): Finding[] {
  const message = 'The text has a character that XML does not have, such as a control character.';
  return members
    .filter((member) => !isXmlText(texts[member] ?? ''))
    .map((member) => ({ path: `${path}${member}`, rule: 'xml_character', message }));
}
