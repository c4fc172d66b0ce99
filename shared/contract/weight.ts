/**
 * How many tokens of its key's rate limit a request takes. Unless its contract says so, as many as pay for what it uses
 * of the table, which for most is one (`tokensFor`).
 */
export type Weight = number | VariableWeight | WeightOnTheWay;

interface DescribedWeight {
  /** For the reference: ends a sentence that begins with "The rate limit counts it as". */
  readonly description: string;
}

interface VariableWeight extends DescribedWeight {
  /**
   * Whole tokens, at least one, from what the handler gets, such as the parsed query and body, or the resource that
   * `load` found. Undefined: the request pays for what it uses. Pure. `implement` makes sure that the handler gets what
   * this function asks for.
   */
  readonly of: (call: never) => number | undefined;
}

/** The request pays for what it uses, for many writes before they begin (`Pay`). */
type WeightOnTheWay = DescribedWeight & { readonly of?: never };

/** What a request uses of the table. */
export interface Usage {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/**
 * What a token pays for: read units of the table, of which a write unit costs five. At the default limit, a minute's
 * tokens pay for three quarters of a cent. With all else that a request costs, it is less than a cent
 * (`npm run bench -- dearest`).
 */
const READ_UNITS_OF_A_TOKEN = 100;

const READ_UNITS_OF_A_WRITE_UNIT = 5;

/** The tokens that pay for a use of the table. At least one. */
export function tokensFor({ readUnits, writeUnits }: Usage): number {
  const units = readUnits + writeUnits * READ_UNITS_OF_A_WRITE_UNIT;
  return Math.max(1, Math.ceil(units / READ_UNITS_OF_A_TOKEN));
}

/**
 * Pays for many writes before they begin, and for what was used until then.
 *
 * @param writeUnits about how many the writes take, those of workers included. What is too much is given back in the end
 * @throws Problem `rate_limited`
 */
export type Pay = (writeUnits: number) => Promise<void>;

/** Of an invoice whose entries change. Each entry is written twice, in a transaction, which counts twice. */
export const entriesWeight: WeightOnTheWay = {
  description:
    'one request for each 5 entries that come to the invoice or leave it, or that stay while others leave, beside what it reads and writes otherwise',
};

const SEARCH = 5;

/** Of a list with `q`: a search reads all that may match. */
export const searchWeight = {
  description: `${SEARCH} requests with \`q\``,
  of: ({ query }: { readonly query: { readonly q?: string } }) => (query.q ? SEARCH : undefined),
};

const EXPORT = 10;

/** Of what can be answered as CSV, which has all rows. */
export const exportWeight = {
  description: `${EXPORT} requests as CSV`,
  of: ({ isExport }: { readonly isExport: boolean }) => (isExport ? EXPORT : undefined),
};

/** Of a list that can be searched, and answered as CSV. */
export const entryListWeight = {
  description: `${searchWeight.description}, and as ${exportWeight.description}`,
  of: (call: { readonly isExport: boolean; readonly query: { readonly q?: string } }) =>
    exportWeight.of(call) ?? searchWeight.of(call),
};

const ROWS_OF_A_TOKEN = 100;

/** Of work on many rows. */
/* @__NO_SIDE_EFFECTS__ */
export function weightOfRows<Call>(rowsOf: (call: Call) => number) {
  return {
    description: `one request for each ${ROWS_OF_A_TOKEN} rows begun`,
    of: (call: Call) => Math.max(1, Math.ceil(rowsOf(call) / ROWS_OF_A_TOKEN)),
  };
}
