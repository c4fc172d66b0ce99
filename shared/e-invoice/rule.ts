import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import type { CategoryCode, EInvoice, Line, VatBreakdown } from './model.ts';

export interface Finding {
  /** In our resources, such as `lineItems.2.taxCategory`. */
  readonly path: string;
  /** As its specification calls it, such as `BR-DE-15`. */
  readonly rule: string;
  readonly message: string;
}

/** Finds where an e-invoice breaks it. */
export type Rule = (invoice: EInvoice, document: PrintedInvoice) => readonly Finding[];

export function rule(id: string, path: string, message: string, holds: (invoice: EInvoice) => boolean): Rule {
  return (invoice) => (holds(invoice) ? [] : [{ path, rule: id, message }]);
}

/** @param member of a line, which has to hold for each */
export function lineRule(
  id: string,
  member: string,
  message: string,
  holds: (line: Line, invoice: EInvoice) => boolean,
): Rule {
  return (invoice) =>
    invoice.lines.flatMap((line, position) =>
      holds(line, invoice) ? [] : [{ path: `lineItems.${position}.${member}`, rule: id, message }],
    );
}

/** @param id or what gives it for a breakdown */
export function vatRule(
  id: string | ((vat: VatBreakdown) => string),
  member: 'base' | 'amount' | 'taxRate',
  message: string,
  holds: (vat: VatBreakdown, invoice: EInvoice) => boolean,
): Rule {
  return (invoice) =>
    invoice.vatBreakdowns.flatMap((vat, position) => {
      if (holds(vat, invoice)) return [];
      return [{ path: `taxes.${position}.${member}`, rule: typeof id === 'string' ? id : id(vat), message }];
    });
}

/** The prefix of the rules of a category of VAT: `BR-S` of `BR-S-08`. */
export function prefixOf(category: CategoryCode): string {
  return category === 'K' ? 'BR-IC' : `BR-${category}`;
}

export function isWithin(difference: bigint, tolerance: bigint): boolean {
  return -tolerance <= difference && difference <= tolerance;
}

export function where(applies: (invoice: EInvoice) => boolean, rules: readonly Rule[]): Rule {
  return (invoice, document) => (applies(invoice) ? rules.flatMap((each) => each(invoice, document)) : []);
}
