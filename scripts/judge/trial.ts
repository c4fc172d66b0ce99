import type { EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { checkEInvoice, type Finding } from '#shared/e-invoice/check-e-invoice.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';
import type { Fatal, Judge } from './judge.ts';

/** Our check and the authors' rules, on one document in one format. */
export interface Trial {
  readonly document: PrintedInvoice;
  readonly findings: readonly Finding[];
  readonly fatals: readonly Fatal[];
}

/** Documents that our check refuses are written too, to see whether the authors refuse them. */
export async function tryAll(
  judge: Judge,
  format: EInvoiceFormat,
  documents: readonly PrintedInvoice[],
): Promise<Trial[]> {
  const fatals = await judge.judge(
    format,
    documents.map((document) => written(document, format)),
  );
  return documents.map((document, position) => ({
    document,
    findings: checkEInvoice(document, format),
    fatals: fatals[position] ?? [],
  }));
}

/** An error is no XML, which the judge refuses. */
function written(document: PrintedInvoice, format: EInvoiceFormat): string {
  try {
    return writeEInvoice(document, format);
  } catch (error) {
    return String(error);
  }
}

/** What our contract refuses, though the authors' files do not, or not so strictly. */
export const RULES_OF_THE_CONTRACT: Readonly<Record<string, string>> = {
  'BR-CO-17': 'tax to the cent, within 1.00 there',
  currency_not_supported: 'currencies without two digits; the files refuse more digits, not fewer',
};

export type Outcome = 'accepted' | 'refused' | 'refusedByContract' | 'wronglyAccepted' | 'wronglyRefused';

export function outcomeOf({ findings, fatals }: Trial): Outcome {
  if (findings.length === 0) return fatals.length === 0 ? 'accepted' : 'wronglyAccepted';
  if (fatals.length > 0) return 'refused';
  return findings.every(({ rule }) => rule in RULES_OF_THE_CONTRACT) ? 'refusedByContract' : 'wronglyRefused';
}
