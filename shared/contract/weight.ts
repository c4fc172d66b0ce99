/**
 * How many tokens of its key's rate limit a request takes. Most take one. A request that costs much more than others
 * declares in its contract what it weighs.
 */
export type Weight = number | VariableWeight;

interface VariableWeight {
  /** For the reference: ends a sentence that begins with "The rate limit counts it as". */
  readonly description: string;
  /**
   * Whole tokens, at least one, from what the handler gets, such as the parsed query and body, or the resource that
   * `load` found. Pure. `implement` makes sure that the handler gets what this function asks for.
   */
  readonly of: (call: never) => number;
}

const SEARCH = 5;

/** Of a list with `q`: a search reads all that may match. */
export const searchWeight = {
  description: `${SEARCH} requests with \`q\``,
  of: ({ query }: { readonly query: { readonly q?: string } }) => (query.q ? SEARCH : 1),
};

const EXPORT = 10;

/** Of what can be answered as CSV, which has all rows. */
export const exportWeight = {
  description: `${EXPORT} requests as CSV`,
  of: ({ isExport }: { readonly isExport: boolean }) => (isExport ? EXPORT : 1),
};

/** Of a list that can be searched, and answered as CSV. */
export const entryListWeight = {
  description: `${searchWeight.description}, and as ${exportWeight.description}`,
  of: (call: { readonly isExport: boolean; readonly query: { readonly q?: string } }) =>
    Math.max(exportWeight.of(call), searchWeight.of(call)),
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
