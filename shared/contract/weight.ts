import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { type InvoiceStep, isLegal, stepOfChange } from '#shared/domain/invoices/steps.ts';
import { type ImportJob, rowsToUndo } from '#shared/domain/remote/import-job.ts';

/**
 * Tokens of the key's rate limit that a request takes. Most take one; all that take more are here. The weight is known
 * before the request reads or writes what makes it heavy, and nothing is settled afterwards.
 */
export type Weight = number | WeightOfCall | WeightOfCounts;

/** Whole tokens, at least one. `implement` makes sure that the functions get what they ask for. */
interface WeightOfCall {
  /** Ends a sentence that begins with "The rate limit counts it as". */
  readonly description: string;
  /** By what the handler gets. */
  of(call: unknown): number;
}

interface WeightOfCounts {
  readonly description: string;
  /** Paid before anything is asked that the counts come from. */
  readonly atFirst?: number;
  /** By what the handler gets, and by counts that it pays for (`pay`) before it reads what they count. */
  ofCounted(call: unknown, counted: unknown): number;
}

/** A key lives for years, and each takes its part of what an organization may have. */
export const NEW_KEY_WEIGHT = 5;

/** Nobody has to try many codes. */
export const CODE_WEIGHT = 5;

/** It is decompressed, and its bytes are written. */
export const LOGO_WEIGHT = 10;

export const PDF_WEIGHT = 5;

const PRINTED_ENTRIES = 100;

export const invoicePdfWeight = {
  description: `one request for each ${PRINTED_ENTRIES} entries that are printed, at least ${PDF_WEIGHT}`,
  atFirst: PDF_WEIGHT,
  ofCounted: (_: unknown, entries: number) => Math.max(PDF_WEIGHT, partsOf(entries, PRINTED_ENTRIES)),
};

export const E_INVOICE_WEIGHT = 5;

/** The receiver has up to fifteen seconds to answer. */
export const TEST_DELIVERY_WEIGHT = 10;

/** The provider has up to twenty seconds to answer. */
export const PROVIDER_WEIGHT = 10;

const SEARCH = 5;
const EXPORT = 10;

const ROWS_OF_A_LIST = 500;
const ROWS_OF_AN_IMPORT = 20;
const ROWS_OF_A_PREVIEW = 200;
const ENTRIES_OF_AN_INVOICE = 20;
const LINES_OF_AN_INVOICE = 50;
const LINES_OF_AN_ANSWER = 500;
const BYTES_OF_A_REPETITION = 500_000;

/** A part that is begun counts as a whole one. */
const partsOf = (count: number, size: number): number => Math.max(1, Math.ceil(count / size));

const OF_SEARCHED_ROWS = `one request for each ${ROWS_OF_A_LIST} rows in which \`q\` is searched, at least ${SEARCH}`;

/** Products, clients, invoices or credit notes. */
export const searchableListWeight = {
  description: `${OF_SEARCHED_ROWS}. A request without \`q\` counts as one`,
  ofCounted: (_: unknown, rows: number) => Math.max(SEARCH, partsOf(rows, ROWS_OF_A_LIST)),
};

export const namedListWeight = {
  ...searchableListWeight,
  description: `${OF_SEARCHED_ROWS}. A request without \`q\`, or with \`externalId\`, counts as one`,
};

export const searchWeight = { ...searchableListWeight, description: OF_SEARCHED_ROWS };

const OF_LOOKED_ENTRIES = `one request for each ${ROWS_OF_A_LIST} entries that it has to look through`;
const AS_FILE = `and at least ${EXPORT} as CSV`;

interface EntryListing {
  readonly isExport: boolean;
  readonly query: {
    readonly q?: string;
    readonly userId?: string;
    readonly billingStatus?: string;
    readonly invoiceId?: string;
    readonly tag?: readonly string[];
  };
}

export const entryListWeight = {
  description: `${OF_LOOKED_ENTRIES}, at least ${SEARCH} with \`q\`, \`userId\`, \`tag\`, \`billingStatus\` or \`invoiceId\`, ${AS_FILE}`,
  ofCounted: ({ isExport, query: { q, userId, billingStatus, invoiceId, tag } }: EntryListing, entries: number) =>
    Math.max(
      isExport ? EXPORT : 1,
      q || [userId, billingStatus, invoiceId, tag].some((value) => value !== undefined) ? SEARCH : 1,
      partsOf(entries, ROWS_OF_A_LIST),
    ),
};

interface Summarizing {
  readonly isExport: boolean;
  readonly query: { readonly groupBy?: readonly string[]; readonly billingStatus?: string };
}

/** Groups are known once the sums are read, which have a bound of their own, and are paid before they are answered. */
export const summaryWeight = {
  description: `${OF_LOOKED_ENTRIES}, or for each ${ROWS_OF_A_LIST} groups, whichever is more, at least ${SEARCH} by \`user\` or with \`billingStatus\`, ${AS_FILE}`,
  ofCounted: ({ isExport, query: { groupBy = [], billingStatus } }: Summarizing, entriesOrGroups: number) =>
    Math.max(
      isExport ? EXPORT : 1,
      groupBy.includes('user') || billingStatus !== undefined ? SEARCH : 1,
      partsOf(entriesOrGroups, ROWS_OF_A_LIST),
    ),
};

const OF_ROWS = `one request for each ${ROWS_OF_AN_IMPORT} rows begun`;

export const importWeight = {
  description: OF_ROWS,
  of: ({ body }: { readonly body: { readonly rows: readonly unknown[] } }) =>
    partsOf(body.rows.length, ROWS_OF_AN_IMPORT),
};

export const undoWeight = {
  description: OF_ROWS,
  of: ({ resource }: { readonly resource: ImportJob }) => partsOf(rowsToUndo(resource), ROWS_OF_AN_IMPORT),
};

export const previewWeight = {
  description: `${PROVIDER_WEIGHT} requests, or as one for each ${ROWS_OF_A_PREVIEW} entries at the provider, or imported from it before, whichever is more`,
  atFirst: PROVIDER_WEIGHT,
  ofCounted: (_: unknown, entries: number) => Math.max(PROVIDER_WEIGHT, partsOf(entries, ROWS_OF_A_PREVIEW)),
};

const OF_INVOICE = `one request for each ${ENTRIES_OF_AN_INVOICE} entries that come to it or leave it, or for each ${LINES_OF_AN_INVOICE} of its lines, whichever is more`;

const invoiceTokens = (entries: number, lines: number): number =>
  Math.max(partsOf(entries, ENTRIES_OF_AN_INVOICE), partsOf(lines, LINES_OF_AN_INVOICE));

interface NamingEntries {
  readonly entryIds?: readonly string[];
}

const entryIdsOf = (lines: readonly NamingEntries[]): string[] => lines.flatMap(({ entryIds = [] }) => entryIds);

/** The size of tracked time, as the ledger counts it. */
export interface CountedTime {
  readonly entries: number;
  readonly lines: number;
}

export const newInvoiceWeight = {
  description: `${OF_INVOICE}. All billable entries of the days of \`timeEntries\` count, invoiced or not`,
  ofCounted: ({ body }: { readonly body: { readonly lineItems: readonly NamingEntries[] } }, time: CountedTime) =>
    invoiceTokens(entryIdsOf(body.lineItems).length + time.entries, body.lineItems.length + time.lines),
};

type WeighedInvoice = Pick<Invoice, 'status' | 'paymentCount' | 'creditNoteCount' | 'lineItems'>;

const OF_ANSWERED_LINES = `one request for each ${LINES_OF_AN_ANSWER} lines that the answer has`;

const answerTokens = ({ lineItems }: { readonly lineItems: readonly unknown[] }): number =>
  partsOf(lineItems.length, LINES_OF_AN_ANSWER);

/** The weight of reading an invoice or a credit note. */
export const documentWeight = {
  description: OF_ANSWERED_LINES,
  of: ({ resource }: { readonly resource: { readonly lineItems: readonly unknown[] } }) => answerTokens(resource),
};

export const sendingWeight = {
  description: OF_ANSWERED_LINES,
  of: ({ resource }: { readonly resource: WeighedInvoice }) => (isLegal(resource, 'send') ? answerTokens(resource) : 1),
};

export const payingWeight = {
  description: OF_ANSWERED_LINES,
  of: ({ resource: { invoice } }: { readonly resource: { readonly invoice: WeighedInvoice } }) =>
    isLegal(invoice, 'pay') ? answerTokens(invoice) : 1,
};

/** The weight of an answer that was kept under an `Idempotency-Key`, whatever the first request weighed. */
export const repetitionWeight = (bytes: number): number => partsOf(bytes, BYTES_OF_A_REPETITION);

interface Change {
  readonly body: { readonly lineItems?: readonly NamingEntries[] };
  readonly resource: WeighedInvoice;
}

export const changedInvoiceWeight = {
  description: OF_INVOICE,
  of: ({ body, resource }: Change) => {
    const [{ lineItems: before }, { lineItems: after }] = [resource, body];
    if (!isLegal(resource, 'change')) {
      const step = stepOfChange(body);
      return step === undefined || isLegal(resource, step) ? answerTokens(resource) : 1;
    }
    const [had, has] = [new Set(entryIdsOf(before)), new Set(entryIdsOf(after ?? before))];
    const leaving = [...had].filter((id) => !has.has(id));
    const coming = [...has].filter((id) => !had.has(id));
    return invoiceTokens(coming.length + leaving.length, Math.max(before.length, after?.length ?? 0));
  },
};

interface Credit {
  readonly body: { readonly lines?: readonly (NamingEntries & { readonly lineItemId: string })[] };
  readonly resource: WeighedInvoice;
}

export const creditWeight = {
  description: OF_INVOICE,
  of: ({ body: { lines }, resource }: Credit) => {
    if (!isLegal(resource, 'credit')) return 1;
    if (!lines) return invoiceTokens(entryIdsOf(resource.lineItems).length, resource.lineItems.length);
    const billed = new Map(resource.lineItems.map((line) => [line.id, line]));
    const credited = lines.map((line) => (line.entryIds ? line : (billed.get(line.lineItemId) ?? {})));
    return invoiceTokens(entryIdsOf(credited).length, lines.length);
  },
};

/** @param step frees all entries of the invoice */
export function freeingWeight(step: InvoiceStep) {
  return {
    description: OF_INVOICE,
    of: ({ resource }: { readonly resource: WeighedInvoice }) =>
      isLegal(resource, step) ? invoiceTokens(entryIdsOf(resource.lineItems).length, resource.lineItems.length) : 1,
  };
}
