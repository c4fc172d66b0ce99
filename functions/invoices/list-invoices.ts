import { listInvoices } from '#shared/contract/invoices/invoices.ts';
import { readInvoices } from '#shared/data/invoices/invoices.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /invoices: lists invoices, newest first by offset, or in an order of choice by cursor. */
export const handler = implement(listInvoices, ({ query, principal }) =>
  readInvoices({ organizationId: principal.organizationId, ...query }),
);
