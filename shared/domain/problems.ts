/** Codes are stable: clients switch on them. The HTTP layer turns the kind into a status. */

export type ProblemKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'rate_limited'
  | 'internal'
  | 'bad_gateway'
  | 'unavailable'
  | 'gateway_timeout';

interface CatalogueEntry {
  readonly kind: ProblemKind;
  /** Another kind that a fault may name itself. */
  readonly orKind?: ProblemKind;
  readonly title: string;
}

export const PROBLEMS = {
  malformed_json: { kind: 'malformed', title: 'The body is not valid JSON' },
  malformed_encoding: { kind: 'malformed', title: 'The body does not match its Content-Encoding' },
  reference_not_found: {
    kind: 'malformed',
    title: 'The organization has no such client, project, product, entry or active user',
  },
  client_mismatch: { kind: 'malformed', title: 'The project belongs to another client' },
  invalid_import: { kind: 'malformed', title: 'Rows or mappings break a rule; nothing was imported' },
  invalid_remote_credential: { kind: 'malformed', title: 'The provider rejects the credential' },
  too_many_remote_entries: { kind: 'malformed', title: 'The provider has too many entries in this range' },
  invalid_date_range: { kind: 'malformed', title: 'The dates are not in order, or too far ahead' },
  invalid_time_range: { kind: 'malformed', title: 'The times are not in order, or too far from now' },
  range_too_large: { kind: 'malformed', title: 'The request would read too much' },
  export_too_large: { kind: 'malformed', title: 'The export would have more rows or bytes than one file may have' },
  document_too_large: { kind: 'malformed', title: 'The document would be too large' },
  currency_mismatch: { kind: 'malformed', title: 'The product is in another currency than the invoice' },
  entry_not_billable: { kind: 'malformed', title: 'The entry cannot be on this invoice' },
  tax_category_mismatch: { kind: 'malformed', title: 'The tax category does not go with the tax rate' },
  tax_reason_missing: { kind: 'malformed', title: 'A tax-exempt line has no reason for it' },
  e_invoice_incomplete: { kind: 'malformed', title: 'The document breaks rules of the e-invoice format' },
  currency_not_supported: { kind: 'malformed', title: 'An e-invoice cannot be in this currency' },
  tracked_time_fixed: { kind: 'malformed', title: 'A line of tracked time has the quantity and price of its entries' },
  too_many_api_keys: { kind: 'malformed', title: 'The limit of API keys is reached' },
  too_many_users: { kind: 'malformed', title: 'The organization has as many users as it may have' },
  too_many_webhooks: { kind: 'malformed', title: 'The organization has as many webhooks as it may have' },
  invoice_empty: { kind: 'malformed', title: 'The invoice would have no line' },
  invalid_payment_amount: { kind: 'malformed', title: 'The amount has more digits after the point than its currency' },
  billing_too_large: { kind: 'malformed', title: 'The entries would take too long to bill' },
  invoice_total_too_large: { kind: 'malformed', title: 'The total of the invoice would have more than 15 digits' },
  payment_exceeds_due: { kind: 'malformed', title: 'The payment is more than what is due' },
  refund_exceeds_credit: { kind: 'malformed', title: 'The refund is more than what is to be refunded' },
  invalid_credit_amount: { kind: 'malformed', title: 'The line cannot be credited by this' },
  invalid_payment_date: { kind: 'malformed', title: 'The payment would be of a day that is still to come' },
  invalid_issue_date: { kind: 'malformed', title: 'The document would be of a day that is far ahead' },
  number_goes_back: { kind: 'malformed', title: 'Numbers of documents cannot go back' },
  issue_date_before_last: { kind: 'malformed', title: 'A document with a lower number has a later date' },
  invalid_credit_date: { kind: 'malformed', title: 'The credit note would be older than its invoice' },
  credit_exceeds_line: { kind: 'malformed', title: 'The credit is more than what is left of the line' },
  too_many_credit_notes: { kind: 'malformed', title: 'The invoice has as many credit notes as it can have' },
  too_many_payments: { kind: 'malformed', title: 'The invoice has as many payments as it can have' },
  organization_required: { kind: 'malformed', title: 'The request has to name an organization' },
  invalid_sequence: { kind: 'malformed', title: 'No event has this number yet' },
  invitation_invalid: { kind: 'malformed', title: 'The code is not that of an open invitation' },
  invalid_token: { kind: 'unauthenticated', title: 'The token of the sign-in is not valid' },
  not_a_member: { kind: 'forbidden', title: 'The person is not a user of this organization' },
  unauthenticated: { kind: 'unauthenticated', title: 'A valid API key is required' },
  insufficient_scope: { kind: 'forbidden', title: 'The caller lacks a scope' },
  admin_required: { kind: 'forbidden', title: 'Only an admin of the organization may do this' },
  not_yours: { kind: 'forbidden', title: 'It belongs to another user' },
  own_family: {
    kind: 'forbidden',
    title: "Only a caller outside of a key's family can revoke it alone",
  },
  scope_not_grantable: { kind: 'forbidden', title: 'A key cannot grant a scope that its creator lacks' },
  limits_not_grantable: { kind: 'forbidden', title: 'A key cannot outgrow or outlive the key that makes it' },
  not_found: { kind: 'not_found', title: 'There is no such resource' },
  route_not_found: { kind: 'not_found', title: 'There is no such path' },
  method_not_allowed: { kind: 'method_not_allowed', title: 'The path does not answer this method' },
  entry_invoiced: { kind: 'conflict', title: 'The entry is on an invoice' },
  period_locked: { kind: 'conflict', title: 'The date is in a closed period' },
  invoice_state_forbids: { kind: 'conflict', title: 'The invoice is in a state that forbids this' },
  invoice_has_payments: { kind: 'conflict', title: 'The invoice has payments, which forbid this' },
  invoice_has_credit_notes: { kind: 'conflict', title: 'The invoice has credit notes, which forbid this' },
  payment_refunded: { kind: 'conflict', title: 'The payment was refunded' },
  invoicing_in_progress: { kind: 'conflict', title: "The client's time is being put on another invoice" },
  organization_name_taken: { kind: 'conflict', title: 'Another organization has this name' },
  number_taken: { kind: 'conflict', title: 'A document has the number that would be given' },
  currency_in_use: { kind: 'conflict', title: 'An invoice was sent, so the currency stays' },
  project_name_taken: { kind: 'conflict', title: 'Another project has this name' },
  external_id_taken: { kind: 'conflict', title: 'Another object of this kind has this external id' },
  user_name_taken: { kind: 'conflict', title: 'Another user has this name' },
  user_email_taken: { kind: 'conflict', title: 'Another user has this email' },
  user_removed: { kind: 'conflict', title: 'The user was removed' },
  already_linked: { kind: 'conflict', title: 'The person is linked to another user there' },
  last_admin: { kind: 'conflict', title: 'An organization needs an active admin' },
  import_not_undoable: { kind: 'conflict', title: 'The import cannot be undone' },
  timer_already_running: { kind: 'conflict', title: 'A timer is running already' },
  idempotency_in_progress: { kind: 'conflict', title: 'The first request with this Idempotency-Key is still at work' },
  timer_not_running: { kind: 'conflict', title: 'The timer is not running any more' },
  events_expired: { kind: 'gone', title: 'Events after this number are no longer kept' },
  precondition_failed: { kind: 'precondition_failed', title: 'The resource is not as If-Match says' },
  payload_too_large: { kind: 'too_large', title: 'The body is too large' },
  unsupported_media_type: { kind: 'unsupported_media_type', title: 'The Content-Type is not supported' },
  unsupported_encoding: { kind: 'unsupported_media_type', title: 'The Content-Encoding is not supported' },
  invoice_too_large: { kind: 'invalid', title: 'The invoice would be too large' },
  validation_failed: { kind: 'invalid', title: 'The request breaks the schema' },
  idempotency_key_reused: { kind: 'invalid', title: 'The Idempotency-Key belongs to another request' },
  too_many_kept_answers: {
    kind: 'rate_limited',
    title: 'As many answers to an Idempotency-Key are kept as a user may have',
  },
  rate_limited: { kind: 'rate_limited', title: 'The rate limit of the API key is used up' },
  internal_error: { kind: 'internal', title: 'Something failed on our side' },
  import_failed: { kind: 'internal', title: 'The import ended before all rows were imported' },
  remote_credential_rejected: {
    kind: 'bad_gateway',
    title: 'The provider rejects the stored credential; connect again',
  },
  remote_unavailable: { kind: 'bad_gateway', orKind: 'unavailable', title: 'The provider failed' },
  remote_throttled: { kind: 'unavailable', title: 'The provider takes no more requests for now' },
  remote_timed_out: { kind: 'gateway_timeout', title: 'The provider took too long' },
  temporarily_unavailable: { kind: 'unavailable', title: 'The service is overloaded; try again shortly' },
} as const satisfies Record<string, CatalogueEntry>;

export type ProblemCode = keyof typeof PROBLEMS;

export function kindsOf(code: ProblemCode): ProblemKind[] {
  const { kind, orKind }: CatalogueEntry = PROBLEMS[code];
  return orKind ? [kind, orKind] : [kind];
}

/** `path` is dotted, with array positions as numbers: `rows.3.date`. */
export interface Violation {
  readonly path: string;
  readonly message: string;
  readonly code: string;
  /** A rule of e-invoices, as its specification calls it. */
  readonly rule?: string;
}

export const MAX_VIOLATIONS = 100;

export interface ProblemDetails {
  /** A sentence about this request. It never repeats a secret from the caller. */
  readonly detail: string;
  /** If it is not the usual one of the code. */
  readonly kind?: ProblemKind;
  readonly errors?: readonly Violation[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const BRAND = Symbol.for('billwright.Problem');

/**
 * No other error shows its text to a caller. A bundle that loads a part of itself later has this class twice: each knows
 * the problems of the other.
 */
export class Problem extends Error {
  static override [Symbol.hasInstance](value: unknown): value is Problem {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  readonly [BRAND] = true;
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails) {
    super(details.detail);
    this.name = 'Problem';
    this.code = code;
    this.details = details;
  }
}

/** The same for a missing object and another organization's. */
export function notFound(): Problem {
  return new Problem('not_found', { detail: 'The organization has no resource with this id.' });
}

export function unauthenticated(): Problem {
  return new Problem('unauthenticated', {
    detail: 'Send a valid API key as "Authorization: Bearer <API_KEY>".',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

export function referenceNotFound(path: string): Problem {
  const message = 'The organization has nothing with this id.';
  return faulty('reference_not_found', [{ path, message, code: 'reference_not_found' }]);
}

/** @param path of the faulty member; empty for the whole request */
export function fault(code: ProblemCode, path: string, message: string): Problem {
  return new Problem(code, { detail: message, errors: [{ path, message, code }] });
}

/** @param count of all faults, if only some are listed */
export function faulty(
  code: ProblemCode,
  errors: readonly [Violation, ...Violation[]],
  count: number | string = errors.length,
): Problem {
  const [{ path, message }] = errors;
  const first = path === '' ? message : `${path}: ${message}`;
  return new Problem(code, { detail: count === 1 ? first : `${first} There are ${count} faults in all.`, errors });
}

/** @param seconds until the same request may be sent again */
export function retryable(code: ProblemCode, detail: string, seconds = 1): Problem {
  return new Problem(code, { detail, headers: { 'Retry-After': String(seconds) } });
}

/** Other requests kept the same items busy for too long. */
export function overloaded(): Problem {
  return retryable('temporarily_unavailable', 'The service could not do it in time, and has changed nothing.');
}

/** Another version of the service, which is here before or after this one, has what this one cannot go on with. */
export function beingUpdated(): Problem {
  return retryable('temporarily_unavailable', 'The service is being updated.', 60);
}

/** A write may have taken effect, but its confirmation is missing. */
export function outcomeUnknown(): Problem {
  return retryable(
    'temporarily_unavailable',
    'The service could not find out in time whether it is done: the outcome is unknown. Look first before you send it again, unless it has an Idempotency-Key.',
  );
}
