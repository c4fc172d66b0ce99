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
import { TEXT_RULE } from './text-rule.ts';

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
  return [...RULES[invoice.profile.usage], TEXT_RULE].flatMap((rule) => rule(invoice, document));
}

const RULES: Readonly<Record<Usage, readonly Rule[]>> = {
  core: CORE_RULES,
  xrechnung: [...CORE_RULES, ...SHARED_RULES, ...germanRules((number) => `BR-DE-${number}`)],
  peppol: [...CORE_RULES, ...PEPPOL_RULES, ...NATIONAL_RULES],
};
