import { bytesInAnswer, MAX_ANSWER_BYTES } from '#shared/domain/answer-size.ts';
import type { EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import type { CreditNote } from '#shared/domain/invoices/credit-note.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import { invoiceAsSent, type PrintedInvoice, printedCreditNote } from '#shared/domain/invoices/printed-invoice.ts';
import { fault, faulty } from '#shared/domain/problems.ts';
import { checkEInvoice, type Finding } from './check-e-invoice.ts';
import { writeEInvoice } from './write-e-invoice.ts';

const MAX_ERRORS = 100;

/**
 * A file that can be an answer.
 *
 * @returns XML
 * @throws Problem `currency_not_supported`, `e_invoice_incomplete`, `invoice_too_large`
 */
export function makeEInvoice(document: PrintedInvoice, format: EInvoiceFormat): string {
  const file = makeValid(document, format);
  if (bytesInAnswer(file) > MAX_ANSWER_BYTES) throw invoiceTooLarge('Its e-invoice would take more than 6 MB.');
  return file;
}

/** An invoice is not sent that its customer's programs would refuse. @throws Problem as `makeEInvoice` does */
export function assertGoodForCustomer(document: PrintedInvoice): void {
  const { eInvoiceFormat } = document.customer;
  if (eInvoiceFormat) makeEInvoice(document, eInvoiceFormat);
}

/** An invoice that is no e-invoice itself can be credited all the same. @throws Problem `e_invoice_incomplete` */
export function assertCreditGoodForCustomer(creditNote: CreditNote, invoice: Invoice): void {
  const { eInvoiceFormat } = creditNote.customer;
  if (!eInvoiceFormat) return;
  const findings = checkEInvoice(printedCreditNote(creditNote), eInvoiceFormat);
  if (findings.length === 0 || checkEInvoice(invoiceAsSent(invoice), eInvoiceFormat).length > 0) return;
  assertValid(findings);
}

/** A file of any size, since it is packed in a PDF. @throws Problem `currency_not_supported`, `e_invoice_incomplete` */
export function makeFacturXFile(document: PrintedInvoice): string {
  return makeValid(document, 'en16931-cii');
}

function makeValid(document: PrintedInvoice, format: EInvoiceFormat): string {
  assertValid(checkEInvoice(document, format));
  return writeEInvoice(document, format);
}

function assertValid(findings: readonly Finding[]): void {
  const [first, ...others] = findings.map((finding) => ({ ...finding, code: 'e_invoice_rule' }));
  if (!first) return;
  const { rule, path, message } = first;
  if (rule === 'currency_not_supported') throw fault(rule, path, message);
  throw faulty('e_invoice_incomplete', [first, ...others.slice(0, MAX_ERRORS - 1)], findings.length);
}

const MAX_PROBLEMS = 1_000;

export function eInvoiceCheckOf(document: PrintedInvoice, format: EInvoiceFormat) {
  const findings = checkEInvoice(document, format);
  return { valid: findings.length === 0, problems: findings.slice(0, MAX_PROBLEMS) };
}
