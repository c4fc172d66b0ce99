import { createClient } from '#shared/contract/clients/create-client.ts';
import { type Endpoint, filledPath, parameterNames } from '#shared/contract/endpoint.ts';
import { checkEInvoice } from '#shared/contract/invoices/check-e-invoice.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { getEInvoice } from '#shared/contract/invoices/get-e-invoice.ts';
import { getInvoicePdf } from '#shared/contract/invoices/get-invoice-pdf.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { createApiKey } from '#shared/contract/keys/create-api-key.ts';
import { createInvitation } from '#shared/contract/organization/create-invitation.ts';
import { createUser } from '#shared/contract/organization/create-user.ts';
import { endSignIns } from '#shared/contract/organization/end-sign-ins.ts';
import { getMe } from '#shared/contract/organization/get-me.ts';
import { linkMe } from '#shared/contract/organization/link-me.ts';
import { listOwnOrganizations } from '#shared/contract/organization/list-own-organizations.ts';
import { removeUser } from '#shared/contract/organization/remove-user.ts';
import { updateMe } from '#shared/contract/organization/update-me.ts';
import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import { updateUser } from '#shared/contract/organization/update-user.ts';
import { EXAMPLE_CODE } from '#shared/contract/organization/user.ts';
import { createProduct } from '#shared/contract/products/create-product.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { listRemoteSyncHistory } from '#shared/contract/remote/list-remote-sync-history.ts';
import { previewRemoteSync } from '#shared/contract/remote/preview-remote-sync.ts';
import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { startTimer } from '#shared/contract/tracker/start-timer.ts';
import { stopTimer } from '#shared/contract/tracker/stop-timer.ts';
import { EXAMPLE_IDS } from './parameters.ts';

/** Walks through several operations. */

export interface Guide {
  readonly title: string;
  readonly steps: readonly GuideStep[];
}

export interface GuideStep {
  readonly text: string;
  readonly request?: GuideRequest;
}

export interface GuideRequest {
  readonly endpoint: Endpoint;
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** As in the example of `createUser`. */
const USER = '019aa2f6-2200-7d8b-9c31-7e6f5a4b3c2d';
const NAME = { 'Idempotency-Key': '7a4a3c2e-5b7f-4d5e-9b0a-3f6d1c2b8e90' };

/** As in the specification of Leitweg-IDs. */
const LEITWEG_ID = '04011000-1234512345-06';
const XRECHNUNG = { format: 'xrechnung-cii' };

const row = { date: '2026-03-02', durationMinutes: 90, description: 'Design review', externalId: '636709355' };

export const guides: readonly Guide[] = [
  {
    title: 'First invoice from tracked time',
    steps: [
      { text: 'Create the client to bill.', request: { endpoint: createClient, body: { name: 'Acme Ltd' } } },
      {
        text: 'Create a project for this client, with an hourly rate. Its timers are billed only with `billable`.',
        request: {
          endpoint: createProject,
          body: { name: 'Website', clientId: EXAMPLE_IDS.clientId, billable: true, rate: 80, currency: 'USD' },
        },
      },
      {
        text: 'Start a timer on the project. It takes client, rate and currency from there.',
        request: { endpoint: startTimer, body: { description: 'Design', projectId: EXAMPLE_IDS.projectId } },
      },
      {
        text: 'Stop it. This books its time as a work entry.',
        request: { endpoint: stopTimer, id: EXAMPLE_IDS.sessionId },
      },
      {
        text: 'Time can also be recorded without a timer. Such an entry is billable by default in any project.',
        request: {
          endpoint: createEntry,
          body: {
            description: 'Home page',
            entryDate: '2026-03-02',
            durationMinutes: 90,
            projectId: EXAMPLE_IDS.projectId,
          },
        },
      },
      {
        text: 'Draft the invoice. It bills the unbilled billable time of the client in this range of dates. If there is none, `skipped` of the problem says why.',
        request: {
          endpoint: createInvoice,
          headers: NAME,
          body: {
            clientId: EXAMPLE_IDS.clientId,
            currency: 'USD',
            timeEntries: { dateFrom: '2026-03-01', dateTo: '2026-03-31', groupBy: 'project' },
          },
        },
      },
      { text: 'Send it. This assigns its number.', request: { endpoint: sendInvoice, id: EXAMPLE_IDS.invoiceId } },
      { text: 'Download it as a PDF.', request: { endpoint: getInvoicePdf, id: EXAMPLE_IDS.invoiceId } },
    ],
  },
  {
    title: 'An invoice for a German authority',
    steps: [
      {
        text: 'Say who sells. XRechnung needs your address, electronic address and account, and a contact with phone and email. It also needs your VAT id, or without one your tax number. Tax is best rounded by `rate`, as e-invoices have it.',
        request: {
          endpoint: updateOrganization,
          body: {
            legalName: 'Acme Consulting GmbH',
            addressLine1: 'Lindenallee 12',
            postalCode: '20095',
            city: 'Hamburg',
            countryCode: 'DE',
            vatNumber: 'DE987654321',
            electronicAddress: { scheme: 'EM', id: 'billing@acme.example' },
            iban: 'DE02120300000000202051',
            accountName: 'Acme Consulting GmbH',
            contactName: 'Ada Lovelace',
            phone: '+49 40 5550100',
            email: 'billing@acme.example',
            taxRounding: 'rate',
          },
        },
      },
      {
        text: 'Create the authority. Its Leitweg-ID stands in the order: it is the `buyerReference`, and an electronic address of the scheme `0204`. `eInvoiceFormat` lets no invoice be sent that XRechnung refuses.',
        request: {
          endpoint: createClient,
          body: {
            name: 'Bezirksamt Musterstadt',
            addressLine1: 'Rathausplatz 1',
            postalCode: '12345',
            city: 'Musterstadt',
            countryCode: 'DE',
            currency: 'EUR',
            buyerReference: LEITWEG_ID,
            electronicAddress: { scheme: '0204', id: LEITWEG_ID },
            eInvoiceFormat: XRECHNUNG.format,
          },
        },
      },
      {
        text: 'Create what you sell, with its tax.',
        request: {
          endpoint: createProduct,
          body: { name: 'Training', price: '1200.00', currency: 'EUR', unit: 'day', taxRate: '19' },
        },
      },
      {
        text: 'Draft the invoice, with the number of the order and the days of the service.',
        request: {
          endpoint: createInvoice,
          headers: NAME,
          body: {
            clientId: EXAMPLE_IDS.clientId,
            purchaseOrder: 'PO-4711',
            serviceFrom: '2026-03-02',
            serviceTo: '2026-03-03',
            lineItems: [{ productId: EXAMPLE_IDS.productId, quantity: '2' }],
          },
        },
      },
      {
        text: 'Check the draft. Each of `problems` names a member that is missing or wrong, and the rule that says so.',
        request: { endpoint: checkEInvoice, id: EXAMPLE_IDS.invoiceId, query: XRECHNUNG },
      },
      {
        text: 'Send it. It is checked again: after a 400 `e_invoice_incomplete` it is still a draft, and no number is spent.',
        request: { endpoint: sendInvoice, id: EXAMPLE_IDS.invoiceId },
      },
      {
        text: 'Download the XRechnung, and upload it where the authority takes invoices.',
        request: { endpoint: getEInvoice, id: EXAMPLE_IDS.invoiceId, query: XRECHNUNG },
      },
      {
        text: 'For a customer who reads invoices too, download Factur-X (ZUGFeRD). This PDF has the e-invoice in it.',
        request: { endpoint: getInvoicePdf, id: EXAMPLE_IDS.invoiceId, query: { profile: 'factur-x' } },
      },
    ],
  },
  {
    title: 'Importing safely',
    steps: [
      {
        text: 'Preview a range of dates first. A preview writes nothing, so you can repeat it. Entries that `unusableEntries` names are left out: correct them at the provider.',
        request: { endpoint: previewRemoteSync, body: { dateFrom: '2026-03-01', dateTo: '2026-03-31' } },
      },
      {
        text: 'Review the rows, and confirm them. Rows that were imported before are skipped. An invalid row stops the whole import.',
        request: { endpoint: confirmRemoteSync, headers: NAME, body: { rows: [row] } },
      },
      {
        text: 'After a 202 the import continues. Poll the history until its status is `imported` or `failed`.',
        request: { endpoint: listRemoteSyncHistory, query: { limit: '1' } },
      },
      {
        text: 'With `updateChanged`, rows that have changed since also update their entries. An invoiced entry stays as it is: `heldBackCount` counts such rows, and the scheduled sync updates the entry once it is free.',
      },
      { text: 'After a `failed` import, send the same rows again. Those that were imported are skipped.' },
      {
        text: 'Check with `dryRun` what an undo would remove. Then undo the import by the same request without `dryRun`.',
        request: { endpoint: undoRemoteSync, id: EXAMPLE_IDS.importId, query: { dryRun: 'true' } },
      },
    ],
  },
  {
    title: 'Adding and removing people',
    steps: [
      {
        text: 'Add a user. A `member` reads, and writes only its own entries and timers; an `admin` writes everything.',
        request: {
          endpoint: createUser,
          headers: NAME,
          body: { name: 'Bea', email: 'bea@acme.example', role: 'member', timeZone: 'Europe/Berlin' },
        },
      },
      {
        text: 'Make a key for the user. The response shows it once.',
        request: {
          endpoint: createApiKey,
          body: { name: "Bea's laptop", userId: USER, scopes: ['tracker:read', 'tracker:write'] },
        },
      },
      {
        text: 'With a key of its own, a user changes its name and its time zone.',
        request: { endpoint: updateMe, body: { timeZone: 'America/New_York' } },
      },
      {
        text: 'Make a member an admin, or an admin a member.',
        request: { endpoint: updateUser, id: USER, body: { role: 'admin' } },
      },
      {
        text: 'Remove a user who leaves. Its keys end within 30 seconds, and its entries stay. Keys that it made for others live on: revoke those that it may have kept.',
        request: { endpoint: removeUser, id: USER },
      },
    ],
  },
  {
    title: 'Sign-in for your users',
    steps: [
      {
        text: 'A page needs no API key: its users sign in at an OpenID Connect issuer, and it sends their tokens. Register the page there as a public client, with authorization code and PKCE. The operator of the service sets `signIn` of its stage to issuer and audience, exactly as in the tokens. The origin of the page goes into `allowedOrigins` there.',
      },
      {
        text: 'Amazon Cognito: the issuer is `https://cognito-idp.REGION.amazonaws.com/POOL_ID`, and the audience is the client id. Create an app client without a secret, with the scopes `openid` and `email`. Let the pool verify email addresses. Send the ID token, because access tokens of Cognito lack the email.',
      },
      {
        text: 'Auth0: the issuer is `https://TENANT.REGION.auth0.com/`, with its last slash, and the audience is the client id. Create a single page application, and ask for the scopes `openid email`. Send the ID token, because access tokens of Auth0 lack the email. In the advanced settings of the application, under OAuth, the signature algorithm must be RS256: one that was created by API signs with HS256 by default.',
      },
      {
        text: 'Keycloak: the issuer is `https://HOST/realms/REALM`, and the audience is the client id. Create an OpenID Connect client with "Client authentication" off and "Standard flow" on. Turn on "Verify email" for the realm. Send the ID token, or give the client a mapper of type "Audience" and send the access token.',
      },
      {
        text: 'Microsoft Entra: the issuer is `https://login.microsoftonline.com/TENANT_ID/v2.0`, and the audience is the id of the application (client). Register an application with a redirect URI of the type "Single-page application". Ask for the scopes `openid profile email`, and send the ID token. Entra does not say that an email is verified, so each person needs an invitation.',
      },
      {
        text: 'On your own machine, `npm start` is an issuer itself. `npm run token -- --organization Demo --email demo@example.com` prints a token, and the id of the organization to name.',
      },
      {
        text: 'Begin with the organizations of the person. Those with `linked: false` have a user with the same email, in whatever case, which the issuer has verified. Somebody has added it there without asking: let the person choose, also if there is only one.',
        request: { endpoint: listOwnOrganizations },
      },
      {
        text: 'Name the chosen one with each request. The first one links the person to the user there. A person who is linked in only one may leave the header out. For others that is a 400 `organization_required`.',
        request: { endpoint: getMe, headers: { 'Billwright-Organization': EXAMPLE_IDS.organizationId } },
      },
      {
        text: 'A 403 `not_a_member` says why nobody was found. An admin then invites the person, and hands over the code by a way that nobody else reads. It works for 7 days, and once.',
        request: { endpoint: createInvitation, id: USER },
      },
      {
        text: 'The person signs in, and the page sends the code with the token. From then on the person is linked, whatever the token says of its email.',
        request: { endpoint: linkMe, body: { code: EXAMPLE_CODE } },
      },
      {
        text: 'A link holds even if the email changes at the issuer. Another email of the user here ends its links. An admin ends them as well, for example if `signIns` is more than it should be. Keys that were made meanwhile live on: revoke them too.',
        request: { endpoint: endSignIns, id: USER },
      },
      {
        text: 'Renew the token before it expires. After a 401 `invalid_token`, let the person sign in again.',
      },
    ],
  },
  {
    title: 'Paging and syncing',
    steps: [
      {
        text: 'Page a list by offset. Stop when `offset` plus the number of rows reaches `meta.total`. Rows that are added or deleted meanwhile shift the pages.',
        request: { endpoint: listEntries, query: { limit: '100', offset: '100', dateFrom: '2026-03-01' } },
      },
      {
        text: 'Clients and invoices can also be paged by cursor, which keeps its place. Follow the `next` link until there is none.',
        request: {
          endpoint: listInvoices,
          query: { pagination: 'cursor', first: '100', orderBy: 'createdAt', orderDirection: 'asc' },
        },
      },
      { text: 'Keep the last `endCursor`. Next time, send it as `after` to get only rows created since.' },
      {
        text: 'To keep one resource current, send its `ETag` as `If-None-Match`. A 304 means that your copy is still current.',
      },
    ],
  },
  {
    title: 'Retrying',
    steps: [
      {
        text: 'Send a new `Idempotency-Key` with each POST. If the response is lost, send the same request with the same key.',
        request: { endpoint: createClient, headers: NAME, body: { name: 'Acme Ltd' } },
      },
      { text: 'After a 429 or 503, wait for the seconds in `Retry-After`, and send the same request again.' },
      { text: 'After a 500, 502 or 504, retry with exponential backoff and jitter.' },
      { text: 'After a 409 `idempotency_in_progress`, do the same: the first request is still being processed.' },
      { text: 'Do not retry any other 4xx unchanged. Correct the request, and send it with a new key.' },
      { text: 'Send the `ETag` as `If-Match` with a PATCH or DELETE. After a 412, read the resource again.' },
    ],
  },
];

/** The anchor of a guide: `Paging and syncing` -> `paging-and-syncing`. */
export function guideId({ title }: Guide): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Markdown links to the guides that use an operation. */
export function guideLinks({ operationId }: Endpoint): string {
  return guides
    .filter(({ steps }) => steps.some(({ request }) => request?.endpoint.operationId === operationId))
    .map((guide) => `[${guide.title}](/docs#${guideId(guide)})`)
    .join(', ');
}

export function guideText({ steps }: Guide): string {
  return steps
    .map(({ text, request }, position) => `${position + 1}. ${text}${request ? requestText(request) : ''}`)
    .join('\n');
}

export function requestLines({ endpoint, id = '', query = {}, headers = {}, body }: GuideRequest): string[] {
  const search = new URLSearchParams(query).toString();
  const path = filledPath(endpoint.path, Object.fromEntries(parameterNames(endpoint.path).map((name) => [name, id])));
  return [
    `${endpoint.method} ${path}${search && `?${search}`}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', ...JSON.stringify(body, null, 2).split('\n')]),
  ];
}

/** A link to the operation, and a code block, indented because it stands in a list. */
function requestText(request: GuideRequest): string {
  const { endpoint } = request;
  const code = ['```http', ...requestLines(request), '```'].map((line) => (line ? `   ${line}` : line)).join('\n');
  return ` ([${endpoint.summary}](/docs#/${endpoint.area}/${endpoint.operationId}))\n\n${code}`;
}
