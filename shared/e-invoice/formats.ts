export { E_INVOICE_FORMATS, type EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
