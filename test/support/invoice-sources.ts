import type { CreditSources } from '#shared/domain/invoices/credit-note.ts';
import type { LineSources } from '#shared/domain/invoices/line-item.ts';

/** Of lines that name neither products nor entries. */
export const NO_SOURCES: Omit<LineSources, 'currency' | 'newId'> = {
  products: new Map(),
  entries: new Map(),
  projectNames: new Map(),
  ownProductIds: new Set(),
};

/** Of the first credit of an invoice without tracked time. */
export const FIRST_CREDIT: CreditSources = {
  credited: new Map(),
  timeOf: () => undefined,
  issueDate: '2026-11-20',
  number: 'CN-000001',
  numberPlace: null,
  id: 'credit',
  newId: () => 'line',
};
