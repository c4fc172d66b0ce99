import { createClient } from '#shared/contract/clients/clients.ts';
import { type Endpoint, filledPath } from '#shared/contract/endpoint.ts';
import { createInvoice, getInvoicePdf, listInvoices } from '#shared/contract/invoices/invoices.ts';
import { sendInvoice } from '#shared/contract/invoices/steps.ts';
import { confirmRemoteSync, listRemoteSyncHistory, undoRemoteSync } from '#shared/contract/remote/imports.ts';
import { previewRemoteSync } from '#shared/contract/remote/preview.ts';
import { createEntry, listEntries } from '#shared/contract/tracker/entries.ts';
import { createProject } from '#shared/contract/tracker/projects.ts';

/** Ways through several operations. Methods and paths come from the contract, so a guide cannot name others. */

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

const CLIENT = '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61';
const PROJECT = '019aa2f6-1200-7d10-8c41-5b7e9a0f3c22';
const INVOICE = '019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61';
const IMPORT = '019aa2fb-5400-7c1e-8f23-6d0b9a4e7c10';
const NAME = { 'Idempotency-Key': '7a4a3c2e-5b7f-4d5e-9b0a-3f6d1c2b8e90' };

const row = { date: '2026-03-02', durationMinutes: 90, description: 'Design review', externalId: '636709355' };

export const guides: readonly Guide[] = [
  {
    title: 'First invoice from tracked time',
    steps: [
      { text: 'Make the client who will be billed.', request: { endpoint: createClient, body: { name: 'Acme Ltd' } } },
      {
        text: 'Make a project of this client. Its rate is by the hour.',
        request: { endpoint: createProject, body: { name: 'Website', clientId: CLIENT, rate: 80, currency: 'USD' } },
      },
      {
        text: 'Book time on the project. The entry takes its client, rate and currency.',
        request: {
          endpoint: createEntry,
          body: { description: 'Home page', entryDate: '2026-03-02', durationMinutes: 90, projectId: PROJECT },
        },
      },
      {
        text: 'Draft the invoice. It takes the unbilled billable time of the client in these days.',
        request: {
          endpoint: createInvoice,
          headers: NAME,
          body: {
            clientId: CLIENT,
            currency: 'USD',
            timeEntries: { dateFrom: '2026-03-01', dateTo: '2026-03-31', groupBy: 'project' },
          },
        },
      },
      { text: 'Send it. It gets its number now.', request: { endpoint: sendInvoice, id: INVOICE } },
      { text: 'Fetch it as a file.', request: { endpoint: getInvoicePdf, id: INVOICE } },
    ],
  },
  {
    title: 'Importing safely',
    steps: [
      {
        text: 'Preview the days first. Nothing is written, so you can repeat it.',
        request: { endpoint: previewRemoteSync, body: { dateFrom: '2026-03-01', dateTo: '2026-03-31' } },
      },
      {
        text: 'Review the rows, and confirm them. A row that was imported before is skipped. A row with a fault stops the whole import.',
        request: { endpoint: confirmRemoteSync, headers: NAME, body: { rows: [row] } },
      },
      {
        text: 'After a 202 the import goes on. Read the history until its status is `imported` or `failed`.',
        request: { endpoint: listRemoteSyncHistory, query: { limit: '1' } },
      },
      { text: 'After a `failed` import send the same rows again. Those that were imported are skipped.' },
      {
        text: 'See what an undo would remove. Without `dryRun` it removes it.',
        request: { endpoint: undoRemoteSync, id: IMPORT, query: { dryRun: 'true' } },
      },
    ],
  },
  {
    title: 'Paging and syncing',
    steps: [
      {
        text: 'Page a list by offset. Stop when `offset` plus the rows reaches `meta.total`. Rows that come and go may shift the pages.',
        request: { endpoint: listEntries, query: { limit: '100', offset: '100', dateFrom: '2026-03-01' } },
      },
      {
        text: 'Clients and invoices also page by cursor, which keeps its place. Follow the link `next` while there is one.',
        request: {
          endpoint: listInvoices,
          query: { pagination: 'cursor', first: '100', orderBy: 'createdAt', orderDirection: 'asc' },
        },
      },
      { text: 'Keep the last `endCursor`. Next time, send it as `after`: you get only what was made since.' },
      {
        text: 'To keep one resource current, send its `ETag` as `If-None-Match`. A 304 says that yours is still the same.',
      },
    ],
  },
  {
    title: 'Retrying',
    steps: [
      {
        text: 'Name each POST with a fresh `Idempotency-Key`. If the answer is lost, send the same request with the same key.',
        request: { endpoint: createClient, headers: NAME, body: { name: 'Acme Ltd' } },
      },
      { text: 'After a 429 or 503 wait for the seconds of `Retry-After`. Then send the same request again.' },
      { text: 'After a 500, 502 or 504 wait, and double the wait each time. Add some chance to it.' },
      { text: 'After a 409 `idempotency_in_progress` do the same: the first request is still at work.' },
      { text: 'Do not repeat another 4xx as it is. Change the request, and give it another key.' },
      { text: 'Send the `ETag` as `If-Match` with a PATCH or DELETE. A 412 says to read the resource again.' },
    ],
  },
];

/** `Paging and syncing` -> `paging-and-syncing`: what a link to the guide says. */
export function guideId({ title }: Guide): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Links to the guides that use an operation, in Markdown; empty if none does. */
export function guideLinks({ operationId }: Endpoint): string {
  return guides
    .filter(({ steps }) => steps.some(({ request }) => request?.endpoint.operationId === operationId))
    .map((guide) => `[${guide.title}](/docs#${guideId(guide)})`)
    .join(', ');
}

/** A guide as a numbered list in Markdown. */
export function guideText({ steps }: Guide): string {
  return steps
    .map(({ text, request }, position) => `${position + 1}. ${text}${request ? requestText(request) : ''}`)
    .join('\n');
}

/** As a link to its operation, and a block of code that stands in a list. */
function requestText({ endpoint, id = '', query = {}, headers = {}, body }: GuideRequest): string {
  const search = new URLSearchParams(query).toString();
  const lines = [
    `${endpoint.method} ${filledPath(endpoint.path, { id })}${search && `?${search}`}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', ...JSON.stringify(body, null, 2).split('\n')]),
  ];
  const code = ['```http', ...lines, '```'].map((line) => (line ? `   ${line}` : line)).join('\n');
  return ` ([${endpoint.summary}](/docs#/${endpoint.area}/${endpoint.operationId}))\n\n${code}`;
}
