import type { Endpoint } from '#shared/contract/endpoint.ts';
import type { ProblemCode, Violation } from '#shared/domain/problems.ts';

/** Texts of the page of each problem under `/problems/`, and examples for operations. */

export interface ProblemText {
  readonly happened: string;
  readonly remedy: string;
  /** By default, the detail of the fault */
  readonly detail?: string | ((endpoint: Endpoint) => string);
  /** By path. An operation shows the first one that can occur in it. The code is that of the problem, unless it says so. */
  readonly faults?: Readonly<Record<string, string | Omit<Violation, 'path'>>>;
}

const MISSING = 'The organization has nothing with this id.';
const NEEDS_RATE = 'The category "standard" needs a rate above 0.';
const MOST_USERS = 'An organization has at most 1000 active users.';
const NO_STRING = { message: 'Expected a string.', code: 'type' };
const BAD_TAG = 'Expected "*" or a list of entity tags in quotes.';

export const PROBLEM_TEXTS: Readonly<Record<ProblemCode, ProblemText>> = {
  malformed_json: {
    happened:
      'The body is not a JSON text in UTF-8, it is nested deeper than 32 levels, or it has a member `__proto__`, or `constructor` with a member `prototype`.',
    remedy:
      'Check the body with a JSON parser. Send no trailing comma, no comment and no text after the value. Give members other names.',
    faults: { '': { message: 'Expected a JSON text in UTF-8.', code: 'json' } },
  },
  malformed_encoding: {
    happened: 'The body is not compressed as its `Content-Encoding` says, or its text is not UTF-8.',
    remedy: 'Compress the body with gzip, or leave the header out. Encode the text as UTF-8.',
    faults: { '': { message: 'Expected a JSON text in UTF-8.', code: 'gzip' } },
  },
  reference_not_found: {
    happened:
      'The body names a client, project, product or entry that the organization does not have, or a user who is not active.',
    remedy: 'Look the id up in the list of the resource, and send the request again. `errors` names the member.',
    faults: {
      projectId: MISSING,
      clientId: MISSING,
      'lineItems.0.productId': MISSING,
      'lines.0.lineItemId': MISSING,
      userId: MISSING,
    },
  },
  client_mismatch: {
    happened: 'The request names a project and a client, and the project belongs to another client.',
    remedy: 'Send the client of the project, or leave `clientId` out: the project names its client.',
    faults: { clientId: 'The project belongs to another client.' },
  },
  invalid_import: {
    happened: 'A row or a mapping of the import breaks a rule. Nothing was imported, and the history has the job.',
    remedy: 'Correct the rows and mappings that `errors` lists, and confirm again.',
    detail: 'Nothing was imported. The history has the import as failed.',
    faults: { 'projectMapping.Website relaunch': { message: MISSING, code: 'reference_not_found' } },
  },
  invalid_remote_credential: {
    happened: 'The provider does not accept the access token for this account. Nothing was stored.',
    remedy: 'Create a new token at the provider, check the account id, and connect again.',
    faults: { accessToken: 'The provider does not accept this access token for this account.' },
  },
  too_many_remote_entries: {
    happened: 'This range of dates has more entries, at the provider or imported before, than one preview takes.',
    remedy: 'Ask for a narrower range, and import one range after another.',
    faults: {
      dateFrom:
        'The provider has more entries in this range of dates than are taken at once, which is 10000 or 64 MiB of them: ask for a narrower one.',
    },
  },
  invalid_date_range: {
    happened: 'A range of dates ends before it begins, or an invoice is due before it is issued.',
    remedy: 'Swap the dates, or send only one of them.',
    faults: {
      dateFrom: 'dateFrom must not be later than dateTo.',
      issueFrom: 'issueFrom must not be later than issueTo.',
      dueDate: 'dueDate must not be earlier than issueDate.',
    },
  },
  invalid_time_range: {
    happened:
      'The work would not end after its start, because the clock changes to or from summer time on its day. Or a timer would start too long ago, or in the future.',
    remedy: 'Send times that the clock shows on this day, or a start of the timer within the last 31 days.',
    faults: {
      startTime: 'A change of summer time on this day puts the start at the end or behind it.',
      startedAt: 'A timer starts at most 31 days back, and not ahead.',
    },
  },
  range_too_large: {
    happened: 'The request would have to read more rows, or more bytes, than one request may.',
    remedy:
      'Ask for a narrower range of dates, add a filter, leave `q` out, or page by cursor where the list has cursors.',
    faults: {
      dateFrom: 'The range holds 61200 entries, and a request reads 50000: ask for a narrower one.',
      offset: 'A list looks through at most 50000 rows and 20 MB, and this needs more.',
    },
  },
  export_too_large: {
    happened: 'The CSV file would have more than 10,000 rows, or more than 5 MB.',
    remedy: 'Ask for a narrower range of dates, and join the files.',
    faults: { dateFrom: 'There are 12480 rows, and an export has at most 10000: ask for a narrower range.' },
  },
  currency_mismatch: {
    happened: 'A line copies a product that is priced in another currency than the invoice.',
    remedy: 'Take a product in the currency of the invoice, or send the line with its own price and no `productId`.',
    faults: { 'lineItems.0.productId': 'The product is priced in EUR, and the invoice is in USD.' },
  },
  entry_not_billable: {
    happened: 'A line names an entry that cannot be billed on this invoice.',
    remedy: "Name billable entries of the invoice's client that have a rate in the currency of the invoice.",
    faults: { 'lineItems.0.entryIds.0': "It has to be a billable entry of the invoice's client, with a rate in USD." },
  },
  tax_category_mismatch: {
    happened: 'The category `standard` was sent without a rate above 0, or another category with one.',
    remedy: 'Send a rate that goes with the category, or leave the category out: then it follows from the rate.',
    faults: { taxCategory: NEEDS_RATE, 'lineItems.0.taxCategory': NEEDS_RATE },
  },
  tax_reason_missing: {
    happened: 'A line of the draft is exempt from tax, and does not say why.',
    remedy: 'Give the line a `taxExemptionReason`, and send the invoice again.',
    faults: { 'lineItems.0.taxExemptionReason': 'An exempt line needs the reason why no tax is due.' },
  },
  e_invoice_incomplete: {
    happened:
      'The invoice or credit note breaks rules of its e-invoice format. The request names this format, or the client when an invoice is sent or credited. Nothing was written.',
    remedy:
      'Correct what `errors` lists, in the organization (`seller`), the client (`customer`), the draft or the `reason` of the credit. `rule` names each rule as its specification does. A document that was sent keeps its seller and customer: credit it, and send another.',
    faults: {
      'customer.buyerReference': {
        message: 'The buyer needs a reference, such as a Leitweg-ID.',
        code: 'e_invoice_rule',
        rule: 'BR-DE-15',
      },
    },
  },
  currency_not_supported: {
    happened: 'Amounts of an e-invoice have two digits after the point, and those of the currency do not.',
    remedy: 'Bill in another currency, or send the PDF alone.',
    faults: { currency: 'Amounts of an e-invoice have two digits after the point, and those in JPY do not.' },
  },
  tracked_time_fixed: {
    happened: 'A line of tracked time was sent with another quantity or price than its entries have.',
    remedy: 'Leave `quantity` and `price` out, or change the entries.',
    faults: { 'lineItems.0.quantity': 'Tracked time has the quantity and price of its entries.' },
  },
  too_many_api_keys: {
    happened: 'The organization has as many API keys as it may have. Expired and revoked keys do not count.',
    remedy: 'Revoke keys that nobody uses, and try again.',
    faults: { '': 'An organization has at most 1000 API keys: revoke some first.' },
  },
  too_many_users: {
    happened: 'The request would make a user, and the organization has as many active users as it may have.',
    remedy: 'Take a user that exists, or remove one first.',
    faults: { user: MOST_USERS, '': MOST_USERS },
  },
  invoice_empty: {
    happened: 'The days hold no unbilled billable time of the client, and the request has no other line.',
    remedy:
      "Look in `skipped` why the client's entries were left out: make them billable, give them a rate, or bill the other currency. Or widen the days, or send `lineItems`.",
    faults: {
      timeEntries:
        'No unbilled billable time was found, and there is no other line. Entries left out: 2 not billable, 1 without a rate.',
    },
  },
  invalid_payment_amount: {
    happened: 'The amount has more digits after the point than the currency of the invoice.',
    remedy: "Round the amount to the currency's minor unit.",
    faults: { amount: 'An amount in USD has at most 2 digits after the point.' },
  },
  invoice_total_too_large: {
    happened: 'The total of the invoice would have more than 15 digits before the point. Nothing was changed.',
    remedy: 'Correct prices and quantities, or make several invoices.',
    faults: { '': 'The total would have 16 digits before the point, of 15 at most.' },
  },
  payment_exceeds_due: {
    happened: 'The payment is more than what is due on the invoice. It was not recorded.',
    remedy: 'Read `amountDue` of the invoice, and record at most this amount.',
    faults: { amount: 'Only 150.00 USD is due.' },
  },
  refund_exceeds_credit: {
    happened: 'The refund is more than what is to be refunded on the invoice. It was not recorded.',
    remedy: 'Read `amountToRefund` of the invoice, and refund at most this amount. Credit the invoice first.',
    faults: { amount: 'Only 150.00 USD is to be refunded.' },
  },
  invalid_credit_amount: {
    happened:
      'The line cannot be credited by what was sent: it is zero, has too many digits, or the line is credited another way.',
    remedy: 'Credit tracked time by `entryIds`, and a line the way in which it was credited before, or its rest.',
    faults: { 'lines.0.quantity': 'The line was credited by amount before.' },
  },
  invalid_payment_date: {
    happened: 'The date of the payment or refund is more than a day after today.',
    remedy: 'Correct the date, or record the payment when it has come.',
    faults: { date: 'It is 2062-11-26, and may be 2026-11-27 at the latest.' },
  },
  invalid_issue_date: {
    happened: 'The `issueDate` is more than 31 days after today.',
    remedy: 'Correct the date of the draft, or of the credit note.',
    faults: { issueDate: 'It is 2062-11-26, and may be 2026-12-27 at the latest.' },
  },
  issue_date_before_last: {
    happened: 'The organization has `chronologicalNumbers`, and the document with the last number has a later date.',
    remedy: 'Give the document the date that is named, or a later one.',
    faults: { issueDate: 'It is 2026-11-20, and the last number is of 2026-11-26.' },
  },
  invalid_credit_date: {
    happened: 'The credit note would be older than the invoice that it corrects.',
    remedy: 'Send a later `issueDate`, or none.',
    faults: { issueDate: 'The invoice is of 2026-11-30: its credit cannot be older.' },
  },
  credit_exceeds_line: {
    happened: 'The credit is more than what is left of the line, or of the invoice. Nothing was credited.',
    remedy: 'Credit less, or leave quantity, amount and entries out: then the rest is credited.',
    faults: { 'lines.0.quantity': 'Only 1.5 of the line are left.' },
  },
  too_many_credit_notes: {
    happened: 'The invoice has 100 credit notes, and cannot have more.',
    remedy: 'Credit more at once.',
    faults: { '': 'An invoice has at most 100 credit notes.' },
  },
  too_many_payments: {
    happened: 'The invoice has 100 payments, or with its refunds 200, and cannot have more.',
    remedy: 'Delete payments or refunds, and record their sum as one.',
    faults: { '': 'An invoice has at most 100 payments.' },
  },
  organization_required: {
    happened:
      'The person who has signed in is linked to no organization yet, or to several, and the request names none.',
    remedy:
      'Send the id of the organization as `Billwright-Organization`. [GET /v1/me/organizations](/docs#/organization/listOwnOrganizations) lists those that you may name.',
    faults: { 'Billwright-Organization': 'You belong to several organizations: name one of them.' },
  },
  invitation_invalid: {
    happened:
      'No open invitation has the code: it was mistyped, it was used before, a newer invitation replaced it, or it has expired. It also ends when the email of the user changes, and when the user is removed.',
    remedy:
      'Look with [GET /v1/me/organizations](/docs#/organization/listOwnOrganizations) whether you are linked already. Else ask an admin of the organization for a new invitation.',
    faults: {
      code: 'No open invitation has this code: it is wrong, or it was used, replaced or ended, or has expired.',
    },
  },
  invalid_token: {
    happened:
      'The token of a person who has signed in is malformed, has expired, or is not signed by the issuer for this service.',
    remedy: 'Let the person sign in again, or renew the token with its refresh token. `detail` names what is wrong.',
    detail: 'The token is not valid here. It has expired.',
  },
  not_a_member: {
    happened:
      'The person who has signed in is no user of the organization, or the API key belongs to another one. `detail` says why: no active user has the email of the token, the issuer has not verified it, the token has none, or an admin has ended the link. An organization that does not exist answers the same.',
    remedy:
      'Ask an admin of the organization to add a user with the email address of the sign-in, if the issuer verifies it, or else for an [invitation](/docs#/organization/createInvitation). With an API key, leave `Billwright-Organization` out.',
    detail: 'You are no user of this organization. No active user has your email.',
  },
  unauthenticated: {
    happened: 'The request has no API key, or one that is malformed, unknown, expired or revoked.',
    remedy:
      'Send a valid key as `Authorization: Bearer <API_KEY>`. Ask the person who manages your keys for a new one.',
    detail: 'Send a valid API key as "Authorization: Bearer <API_KEY>".',
  },
  insufficient_scope: {
    happened: 'The caller lacks the scope that the operation needs. `detail` names the scope.',
    remedy:
      'Use a key that has the scope, or sign in as a user whose role has it. A write scope does not include the read scope.',
    detail: ({ scope }) =>
      scope === 'any' ? 'A key of the platform belongs to no organization.' : `The caller lacks the scope ${scope}.`,
  },
  admin_required: {
    happened: 'The user of the key is a member. Members read, and write nothing but their own entries and timers.',
    remedy: 'Ask an admin of the organization to do it, or to make the user an admin.',
    detail: 'Only an admin of the organization may do this.',
  },
  not_yours: {
    happened: 'The user of the key is a member, and the entry belongs to another user, or would.',
    remedy: 'Ask its user, or an admin of the organization, to do it.',
    detail: 'Only an admin may write what belongs to another user.',
  },
  own_family: {
    happened:
      'The request would revoke a key and keep the keys that it made, but it was sent with this key or with one of those.',
    remedy: 'Use a key that does not come from this one, or leave `keepMade` out: then the keys that it made end, too.',
    detail: 'Your API key is this one, or comes from it, and so cannot keep what it made.',
  },
  scope_not_grantable: {
    happened: 'Nobody can create a key with a scope that the caller lacks.',
    remedy: 'Leave the scope out, or create the key with one that has it.',
    detail: 'The caller lacks invoices:write and so cannot grant it.',
  },
  limits_not_grantable: {
    happened: 'Nobody can create a key with a higher rate limit or a longer life than the caller has.',
    remedy: 'Lower `rateLimit` and `expiresInDays`, or leave them out: the new key then has the limits of the caller.',
    detail: 'The caller has 600 requests a minute, and cannot grant more.',
  },
  not_found: {
    happened: "There is no such resource. Another organization's resource answers in the same way.",
    remedy: 'Check the id and the key: the resource may be deleted, or belong to another organization.',
    detail: missing,
  },
  route_not_found: {
    happened: 'No operation has this path.',
    remedy: 'Compare the path with `/openapi.json`. The paths have no slash at their end.',
    detail: 'See /openapi.json for the paths that exist.',
  },
  method_not_allowed: {
    happened: 'The path exists, and does not answer this method.',
    remedy: 'Use one of the methods of the header `Allow`.',
    detail: 'The path answers GET, POST.',
  },
  entry_invoiced: {
    happened: 'The entry is on an invoice, and cannot be changed while it is.',
    remedy: 'Void the invoice, or delete it while it is a draft. Its entries can then be changed again.',
    detail: 'The entry is on the invoice 019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61.',
  },
  invoice_state_forbids: {
    happened: 'The status of the invoice does not allow this step.',
    remedy: 'Read the invoice. A draft can be changed, deleted and sent; a sent invoice can be paid and voided.',
    detail: stateForbids,
  },
  invoice_has_payments: {
    happened: 'An invoice with payments cannot be voided.',
    remedy: 'Delete its payments first, and then void the invoice.',
    detail: 'The invoice has payments, and cannot be voided until they are taken back.',
  },
  invoice_has_credit_notes: {
    happened: 'An invoice with credit notes cannot be voided.',
    remedy: 'Credit the rest of it instead.',
    detail: 'The invoice has credit notes, and cannot be voided: credit the rest instead.',
  },
  payment_refunded: {
    happened: 'The refunds of the invoice would be more than its payments without this one.',
    remedy: 'Delete the refund first.',
    detail: 'More was refunded than would be left of the payments: take the refund back first.',
  },
  invoicing_in_progress: {
    happened: "Another request is putting the client's time on an invoice.",
    remedy: 'Wait for the seconds of `Retry-After`, and send the same request again.',
    detail: "A request is putting the client's time on an invoice.",
  },
  organization_name_taken: {
    happened: 'Another organization has this name. Names that differ only in case and spaces are the same.',
    remedy: 'Take another name, and send the request again.',
    faults: { name: 'Another organization has this name.' },
  },
  currency_in_use: {
    happened: 'The organization has sent an invoice. Its currency cannot change after the first one.',
    remedy: 'Name the other currency on the products, projects and invoices that need it.',
    faults: { currency: 'The first invoice was sent, so the currency stays.' },
  },
  project_name_taken: {
    happened:
      'Another project of the organization has this name. Names that differ only in case, or in spaces at the ends, are the same.',
    remedy: 'Take another name, or use the project that has it.',
    faults: { name: 'Another project of the organization has this name.' },
  },
  user_name_taken: {
    happened: 'Another active user of the organization has this name. Names that differ only in case are the same.',
    remedy: 'Take another name, or use the user that has it.',
    faults: { name: 'Another user of the organization has this name.' },
  },
  user_email_taken: {
    happened:
      'Another active user of the organization has this email. Emails that differ only in the case of A to Z are the same.',
    remedy: 'Take another email, or use the user that has it.',
    faults: { email: 'Another user of the organization has this email.' },
  },
  user_removed: {
    happened: 'The user was removed from the organization, for good.',
    remedy: 'Make a new user: the name and the email of the removed one are free.',
    detail: 'The user was removed before.',
  },
  already_linked: {
    happened: 'The person who has signed in is linked to another user of the organization that the invitation is of.',
    remedy: 'Go on as that user, or ask an admin to end its sign-ins first. The invitation is still open.',
    detail: 'You are linked to another user of the organization already.',
  },
  last_admin: {
    happened: 'The organization would have no active admin without this user.',
    remedy: 'Make another user an admin first.',
    detail: 'This is the last active admin: make another user an admin first.',
  },
  import_not_undoable: {
    happened: 'The import has not ended yet, or it was undone before.',
    remedy: 'Read the history. Wait while the import is `processing`; if it is `undone`, there is nothing left to do.',
    detail: 'The import was undone before.',
  },
  timer_already_running: {
    happened: 'The user has a running timer, and can have only one. `session` shows it.',
    remedy: 'Show the running timer, or stop or discard it before the next start.',
    detail: 'Stop or discard the running timer before starting another.',
  },
  idempotency_in_progress: {
    happened: 'The first request with this `Idempotency-Key` is still being processed.',
    remedy: 'Wait for the seconds of `Retry-After`, and send the same request again. This ends within two minutes.',
    detail: 'The first request with this key is still at work, or its function has died and will soon be given up.',
  },
  timer_not_running: {
    happened: 'The timer was stopped or discarded before, perhaps in another tab.',
    remedy: 'Show `session` and `workEntry` of the problem: they are the result of the earlier stop.',
    detail: 'The timer was stopped or discarded before.',
  },
  precondition_failed: {
    happened: 'The resource has changed since it had the tag in `If-Match`. Nothing was changed.',
    remedy: 'Read the resource again, apply your change to its new version, and send the new tag.',
    detail: 'The resource has changed since the version in If-Match. Read it again first.',
  },
  payload_too_large: {
    happened: 'The body is too large, as sent or decompressed, or has too many values.',
    remedy: 'Send less in one request. Split an import into parts.',
    detail: 'The body may have 1 MiB once it is unpacked. Send less at once.',
  },
  unsupported_media_type: {
    happened: 'The body is not sent as JSON in UTF-8.',
    remedy: 'Send the header `Content-Type: application/json`.',
    detail: 'Send the body as application/json.',
  },
  unsupported_encoding: {
    happened: 'The body has a `Content-Encoding` other than `gzip`.',
    remedy: 'Send the body uncompressed, or compressed with gzip.',
    detail: 'Send the body as it is or with "Content-Encoding: gzip".',
  },
  invoice_too_large: {
    happened:
      'The invoice would have more lines, entries or text than one invoice can hold or a PDF can show in time, or its range of dates more entries than one request reads.',
    remedy: 'Bill fewer days, group the time by project or day, or make several invoices.',
    faults: { '': 'The invoice would be too large. Its answer would take more than 6 MB.' },
  },
  billing_too_large: {
    happened:
      'The entries are so many and their texts so long, or so many of them are on one day, that one request might not have the time to bill them. Nothing was changed.',
    remedy:
      'Make several invoices: bill fewer days or one project at a time, or name some of the entries by `entryIds`. `detail` says how many can be billed at once.',
    faults: {
      '': 'The 10000 entries may take 40 s to bill, and a request has 20: bill about 5000 on each of several invoices, by fewer days, one project or entryIds.',
    },
  },
  validation_failed: {
    happened: 'A member of the body, a parameter or a header breaks its schema. Nothing was changed.',
    remedy: 'Correct what `errors` lists. `path` names the member or parameter, and `message` says what was expected.',
    faults: {
      name: NO_STRING,
      durationMinutes: { message: 'Expected a whole number.', code: 'type' },
      description: NO_STRING,
      notes: NO_STRING,
      limit: { message: 'Expected a number of at least 1.', code: 'range' },
      dateFrom: { message: 'Expected a date that exists, as YYYY-MM-DD.', code: 'date' },
      dryRun: { message: 'Expected a boolean.', code: 'type' },
      'Idempotency-Key': 'Expected 1 to 255 printable ASCII characters, no space at the ends.',
      'If-Match': BAD_TAG,
      'If-None-Match': BAD_TAG,
      starting_after: {
        message: 'This parameter was replaced by "after" of the cursor pagination ("after" and "before").',
        code: 'superseded',
      },
    },
  },
  idempotency_key_reused: {
    happened: 'Another request was sent with this `Idempotency-Key` before: its method, path or body differs.',
    remedy: 'Make a new key for each new request. Use a key again only to send the very same request again.',
    faults: { 'Idempotency-Key': 'Another request was sent with this key; send this one with its own.' },
  },
  too_many_kept_answers: {
    happened:
      'The user has sent 10,000 requests with an `Idempotency-Key` that wrote something, and each answer is kept for 24 hours. Nothing was done.',
    remedy: 'Wait for the seconds of `Retry-After`, or send requests without the header that may be done twice.',
    detail: 'The last 10000 answers to keys of this user are kept for 24 hours; try again in 3600 s, or without a key.',
  },
  rate_limited: {
    happened: 'The key has used up its rate limit for now.',
    remedy:
      'Wait for the seconds of `Retry-After`. The header `RateLimit` of each response gives the remaining requests.',
    detail: 'The key allows 600 requests a minute; try again in 2 s.',
  },
  internal_error: {
    happened: 'An unexpected error occurred. It was logged under the id of the request.',
    remedy: 'Try again with the same `Idempotency-Key`. If it fails again, report the `requestId`.',
    detail: 'Something failed that should not have, and was logged under this request id.',
  },
  import_failed: {
    happened: 'The import ended before all its rows were imported. The history has its counts.',
    remedy: 'Send the same rows again, under another `Idempotency-Key`: those that were imported are skipped.',
    detail:
      'The import 019aa2fb-5400-7c1e-8f23-6d0b9a4e7c10 has ended with 40 of 120 rows. Sending the rows again, under another Idempotency-Key, imports the rest.',
  },
  remote_credential_rejected: {
    happened: 'The provider does not accept the stored access token any more.',
    remedy: 'Connect again with a new token. Settings, mappings and history stay.',
    detail: 'The provider no longer accepts the access token of the connection.',
  },
  remote_unavailable: {
    happened:
      'The provider cannot be reached, fails, or gives an invalid answer. With a 503, its entries changed each of the four times that they were read, so that some might have been missed.',
    remedy: 'Try again in some minutes. Nothing was changed.',
    detail: 'The provider cannot be reached, or fails.',
  },
  remote_throttled: {
    happened: 'The provider accepts no more requests for now.',
    remedy: 'Wait for the seconds of `Retry-After`, and try again.',
    detail: 'The provider takes no more requests for now; try again in 15 s.',
  },
  remote_timed_out: {
    happened: 'The provider did not answer in time.',
    remedy: 'Try again, perhaps with a narrower range of dates.',
    detail: 'The provider did not answer in time; try again.',
  },
  temporarily_unavailable: {
    happened:
      'The service is overloaded or being updated, or the request took too long. It has changed nothing, unless `detail` says that the outcome is unknown, or that a part is done.',
    remedy:
      'Wait for the seconds of `Retry-After`, and send the same request again. If the outcome is unknown and the request has no `Idempotency-Key`, first check what was changed.',
    detail: 'The service could not do it in time, and has changed nothing.',
  },
};

function missing({ path, area }: Endpoint): string {
  return area === 'remote' && !path.includes('{')
    ? 'The organization has no connection to a remote time tracker.'
    : 'The organization has no resource with this id.';
}

const STEPS: Readonly<Record<string, string>> = {
  updateInvoice: 'The invoice is sent; only a draft invoice can be changed.',
  deleteInvoice: 'The invoice is sent; only a draft invoice can be deleted.',
  sendInvoice: 'The invoice is sent; only a draft invoice can be sent.',
  payInvoice: 'The invoice is draft; only a sent invoice can be paid.',
  createPayment: 'The invoice is draft; only a sent invoice can take a payment.',
  createRefund: 'The invoice is void; only a sent or paid or credited invoice can be refunded.',
  createCreditNote: 'The invoice is draft; only a sent or paid invoice can be credited.',
  voidInvoice: 'The invoice is paid; only a sent invoice can be voided.',
  getInvoicePdf: 'The invoice is draft; only a sent or paid or credited invoice can be an e-invoice.',
  getEInvoice: 'The invoice is draft; only a sent or paid or credited invoice can be an e-invoice.',
  checkEInvoice: 'The invoice is void; only a draft or sent or paid or credited invoice can be checked.',
};

function stateForbids({ operationId }: Endpoint): string {
  const detail = STEPS[operationId];
  if (!detail) throw new Error(`The reference needs an example of invoice_state_forbids for ${operationId}.`);
  return detail;
}
