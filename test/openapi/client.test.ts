import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import { expect, it } from 'vitest';
import type { components, operations, paths } from '#dist/client.ts';
import { given } from '#test/support/given.ts';

/**
 * A program of a customer, with what `npx openapi-typescript` makes of the document. The compiler checks it
 * (`npm run types`), so the names of bodies, headers and codes are in the types; here it runs.
 */

type CreateInvoice = components['schemas']['CreateInvoice'];
type LineItem = components['schemas']['LineItemInput'];

type ResponseOf<Id extends keyof operations> = operations[Id]['responses'][keyof operations[Id]['responses']];

/** Every code that an operation can answer. */
type CodeOf<Id extends keyof operations> =
  ResponseOf<Id> extends infer Each
    ? Each extends { content: { 'application/problem+json': { code: infer Code } } }
      ? Code
      : never
    : never;

/** The names of the headers that an operation can answer. */
type HeaderOf<Id extends keyof operations> =
  ResponseOf<Id> extends infer Each
    ? Each extends { headers: infer Headers }
      ? keyof { [Name in keyof Headers as string extends Name ? never : Name]: true } & string
      : never
    : never;

function header<Id extends keyof operations>(response: Response, name: HeaderOf<Id>): string | null {
  return response.headers.get(name);
}

/** Compiles only while it has every code of the operation, and no other. */
function reactionTo(code: CodeOf<'getInvoice'>): 'wait' | 'correct' | 'another key' {
  switch (code) {
    case 'rate_limited':
    case 'temporarily_unavailable':
    case 'internal_error':
      return 'wait';
    case 'unauthenticated':
    case 'invalid_token':
    case 'not_a_member':
    case 'insufficient_scope':
      return 'another key';
    case 'not_found':
    case 'organization_required':
    case 'validation_failed':
      return 'correct';
  }
}

async function program() {
  const { apiKey } = await given.user();
  return createClient<paths>({
    baseUrl: process.env.API_URL,
    headers: { authorization: `Bearer ${apiKey}` },
  });
}

it('a strict program bills a client once, changes and sends what it has seen, and knows every refusal by its code', async () => {
  const api = await program();

  const client = await api.POST('/clients', { body: { name: 'Globex' } });
  const clientId = client.data?.data.id ?? '';
  const work = { description: 'Workshop', durationMinutes: 90, entryDate: '2026-11-20', rate: 120, clientId };
  expect((await api.POST('/v1/work/tracker/entries', { body: work })).response.status).toBe(201);
  // Lists and summaries can also be files; a program need not ask what it got.
  const query = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
  const listed = await api.GET('/v1/work/tracker/entries', { params: { query } });
  expect(listed.data?.data.map(({ description }) => description)).toEqual(['Workshop']);
  const summary = await api.GET('/v1/work/tracker/entries/summary', { params: { query } });
  expect(summary.data?.data.totalMinutes).toBe(90);

  const hosting: LineItem = { name: 'Hosting', quantity: '2', price: '49.90' };
  const timeEntries = { ...query, groupBy: 'project' } as const;
  const body: CreateInvoice = { clientId, lineItems: [hosting], timeEntries };
  const named = { body, params: { header: { 'Idempotency-Key': randomUUID() } } };
  const created = await api.POST('/invoices', named);
  const again = await api.POST('/invoices', named);
  expect(again.data).toEqual(created.data);
  expect(header<'createInvoice'>(again.response, 'Idempotency-Replayed')).toBe('true');
  const { id, lineItems, total } = created.data?.data ?? { id: '' };
  expect(lineItems?.map(({ name }) => name)).toEqual(['Hosting', 'Tracked time']);
  expect(total).toBe('279.80');

  const tag = header<'createInvoice'>(created.response, 'ETag') ?? '';
  const seen = await api.GET('/invoices/{id}', { params: { path: { id }, header: { 'If-None-Match': tag } } });
  expect(seen.response.status).toBe(304);
  const change = { params: { path: { id }, header: { 'If-Match': tag } }, body: { purchaseOrder: 'PO-4711' } };
  const changed = await api.PATCH('/invoices/{id}', change);
  expect(changed.data?.data.purchaseOrder).toBe('PO-4711');
  expect(header<'updateInvoice'>(changed.response, 'ETag')).not.toBe(tag);
  const late = await api.PATCH('/invoices/{id}', change);
  expect(late.error?.code).toBe('precondition_failed');

  const send = (version: string) =>
    api.POST('/invoices/{id}/send', { params: { path: { id }, header: { 'If-Match': version } } });
  expect((await send(tag)).error?.code).toBe('precondition_failed');
  const sent = await send(header<'updateInvoice'>(changed.response, 'ETag') ?? '');
  expect(sent.data?.data.number).toBe('INV-000001');
  const pdf = await api.GET('/invoices/{id}/pdf', {
    params: { path: { id }, query: { hours: true } },
    parseAs: 'arrayBuffer',
  });
  expect(Buffer.from(pdf.data ?? new ArrayBuffer()).toString('latin1')).toMatch(/^%PDF-/);

  const missing = await api.GET('/invoices/{id}', { params: { path: { id: randomUUID() } } });
  expect(missing.error && reactionTo(missing.error.code)).toBe('correct');
  const { error } = await api.POST('/invoices', { body: { clientId, timeEntries } });
  expect(error?.code === 'invoice_empty' && error.skipped.invoiced).toBe(1);
});

type Event = components['schemas']['EventPage']['data'][number];

/** Compiles only while the type of an event tells what its object has. */
function staleAfter(event: Event): readonly string[] {
  switch (event.type) {
    case 'payment.created':
    case 'payment.deleted':
      return [event.data.object.invoiceId];
    case 'entries.imported':
    case 'entries.removed':
      return event.data.entryIds;
    default:
      return [event.data.object.id];
  }
}

it('a strict program follows the feed, and knows by the type of an event what it names', async () => {
  const api = await program();
  const end = await api.GET('/v1/events', { params: { query: { after: 'latest' } } });
  const after = String(end.data?.meta.next);
  const client = await api.POST('/clients', { body: { name: 'Globex' } });
  const page = await api.GET('/v1/events', { params: { query: { after, type: 'client.*' } } });
  expect(page.data?.data.flatMap(staleAfter)).toEqual([client.data?.data.id]);
  const beyond = await api.GET('/v1/events', { params: { query: { after: '999999' } } });
  expect(beyond.error?.code === 'invalid_sequence' && beyond.error.errors[0]?.path).toBe('after');
});

type ClientsPage = operations['listClients']['responses'][200]['content']['application/json'];

/** Compiles only while `pagination` tells what a page has. */
const namesOn = (page: ClientsPage): string[] =>
  page.pagination === 'cursor' ? page.edges.map(({ node }) => node.name) : page.data.map(({ name }) => name);

it('a strict program reads pages by offset and by cursor, and the faults of what it sent', async () => {
  const api = await program();
  await api.POST('/clients', { body: { name: 'Globex' } });
  for (const pagination of ['offset', 'cursor'] as const) {
    const { data } = await api.GET('/clients', { params: { query: { pagination } } });
    expect(data && namesOn(data)).toEqual(['Globex']);
    expect(data?.pagination).toBe(pagination);
  }
  const faulty = await api.POST('/clients', { body: { name: '' } });
  expect(faulty.error?.code === 'validation_failed' && faulty.error.errors.map(({ path }) => path)).toEqual(['name']);
});
