import { DEFAULT_FORMATS, numberOf } from '#shared/domain/organization/numbering.ts';

/** As an organization numbers its invoices that has chosen nothing. */
export const invoiceNumber = (position: number): string => numberOf(DEFAULT_FORMATS.INVOICE, position, '2026-11-20');
