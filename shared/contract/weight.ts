/** Tokens of the key's rate limit that a request takes. Most take one. */
export type Weight = number | VariableWeight;

interface VariableWeight {
  /** Ends a sentence that begins with "The rate limit counts it as". */
  readonly description: string;
  /** Whole tokens, at least one, from what the handler gets. `implement` makes sure that it gets what this asks for. */
  readonly of: (call: never) => number;
}

const SEARCH = 5;

/** A search reads all rows that may match. */
export const searchWeight = {
  description: `${SEARCH} requests with \`q\``,
  of: ({ query }: { readonly query: { readonly q?: string } }) => (query.q ? SEARCH : 1),
};

const EXPORT = 10;

/** A CSV answer has all rows. */
export const exportWeight = {
  description: `${EXPORT} requests as CSV`,
  of: ({ isExport }: { readonly isExport: boolean }) => (isExport ? EXPORT : 1),
};

export const entryListWeight = {
  description: `${searchWeight.description}, and as ${exportWeight.description}`,
  of: (call: { readonly isExport: boolean; readonly query: { readonly q?: string } }) =>
    Math.max(exportWeight.of(call), searchWeight.of(call)),
};

const ROWS_OF_A_TOKEN = 100;

/* @__NO_SIDE_EFFECTS__ */
export function weightOfRows<Call>(rowsOf: (call: Call) => number) {
  return {
    description: `one request for each ${ROWS_OF_A_TOKEN} rows begun`,
    of: (call: Call) => Math.max(1, Math.ceil(rowsOf(call) / ROWS_OF_A_TOKEN)),
  };
}
