import type { EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';

/** The rules that a document follows, on top of those of EN 16931 (`core`). */
export type Usage = 'core' | 'xrechnung' | 'peppol';

export interface Profile {
  readonly syntax: 'cii' | 'ubl';
  readonly usage: Usage;
}

export const PROFILES: Readonly<Record<EInvoiceFormat, Profile>> = {
  'en16931-cii': { syntax: 'cii', usage: 'core' },
  'en16931-ubl': { syntax: 'ubl', usage: 'core' },
  'xrechnung-cii': { syntax: 'cii', usage: 'xrechnung' },
  'xrechnung-ubl': { syntax: 'ubl', usage: 'xrechnung' },
  'peppol-bis': { syntax: 'ubl', usage: 'peppol' },
};
