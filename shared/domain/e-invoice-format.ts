/** The documents that an invoice can be sent as, for machines. */
export const E_INVOICE_FORMATS = [
  'en16931-cii',
  'en16931-ubl',
  'xrechnung-cii',
  'xrechnung-ubl',
  'peppol-bis',
] as const;

export type EInvoiceFormat = (typeof E_INVOICE_FORMATS)[number];
