import { type Endpoint, taggedSchema } from '#shared/contract/endpoint.ts';
import { createWebhook } from '#shared/contract/events/create-webhook.ts';
import { MAX_WEBHOOKS } from '#shared/domain/events/webhook.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import type { Operation } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';
import type { Client, Json } from './client.ts';
import { given } from './given.ts';

type Made = Promise<Json>;

/** @param draft makes the invoice that it is, or belongs to */
type Maker = (by: Client, draft: () => Made) => Promise<string>;

async function sent(by: Client, draft: () => Made): Made {
  return (await by.post(`/invoices/${(await draft()).id}/send`)).body.data;
}

const ofDraft: Maker = async (_by, draft) => (await draft()).id;
const ofSent: Maker = async (by, draft) => (await sent(by, draft)).id;
const ofCredit: Maker = async (by, draft) => (await given.creditNote(by, (await sent(by, draft)).id)).id;
const ofTimer: Maker = async (by) => (await given.runningTimer(by)).id;
/** An organization has ten at most. It is paused, so that no worker moves it. */
const ofWebhook: Maker = async (by) => {
  const { data: others } = (await by.get('/v1/webhooks')).body;
  if (others?.length === MAX_WEBHOOKS) await by.delete(`/v1/webhooks/${others.at(-1).id}`);
  const { id } = (await by.post('/v1/webhooks', createWebhook.example.body)).body.data;
  await by.patch(`/v1/webhooks/${id}`, { status: 'paused' });
  return id;
};
const ofColleague: Maker = async (by) => (await given.colleague(by)).id;

async function withPayment(by: Client, draft: () => Made, amount = '1.00'): Promise<[id: string, paymentId: string]> {
  const { id } = await sent(by, draft);
  return [id, (await given.payment(by, id, { amount })).id];
}

/** Makes the resource that an endpoint's path names: the matrices can then cover every route with an id. */
const makers: Readonly<Record<string, Maker>> = {
  '/products/{id}': async (by) => (await given.product(by)).id,
  '/clients/{id}': async (by) => (await given.client(by)).id,
  '/invoices/{id}': ofDraft,
  '/invoices/{id}/send': ofDraft,
  '/invoices/{id}/pay': ofSent,
  '/invoices/{id}/payments': async (by, draft) => (await withPayment(by, draft))[0],
  '/invoices/{id}/payments/{paymentId}': async (by, draft) => (await withPayment(by, draft)).join('/'),
  '/invoices/{id}/refunds': async (by, draft) => {
    const [id] = await withPayment(by, draft, '49.90');
    await given.creditNote(by, id);
    return id;
  },
  '/invoices/{id}/credit-notes': ofSent,
  '/credit-notes/{id}': ofCredit,
  '/credit-notes/{id}/pdf': ofCredit,
  '/invoices/{id}/void': ofSent,
  '/invoices/{id}/pdf': ofSent,
  '/invoices/{id}/e-invoice': async (by) => (await given.eInvoice(by)).id,
  '/invoices/{id}/e-invoice/check': ofDraft,
  '/credit-notes/{id}/e-invoice': async (by) => (await given.creditNote(by, (await given.eInvoice(by)).id)).id,
  '/credit-notes/{id}/e-invoice/check': ofCredit,
  '/v1/work/tracker/projects/{id}': async (by) => (await given.project(by)).id,
  '/v1/work/tracker/entries/{id}': async (by) => (await given.entry(by, { durationMinutes: 90 })).id,
  '/v1/work/tracker/timer/{sessionId}': ofTimer,
  '/v1/work/tracker/timer/{sessionId}/stop': ofTimer,
  '/v1/work/tracker/timer/{sessionId}/discard': ofTimer,
  '/v1/work/tracker/remote/sync/history/{id}': (by) => given.importJob(by),
  '/v1/work/tracker/remote/sync/history/{id}/undo': (by) => given.importJob(by),
  '/v1/users/{id}': ofColleague,
  '/v1/users/{id}/sign-ins': ofColleague,
  '/v1/users/{id}/invitations': ofColleague,
  '/v1/webhooks/{id}': ofWebhook,
  '/v1/webhooks/{id}/rotate-secret': ofWebhook,
  '/v1/webhooks/{id}/test': ofWebhook,
  '/v1/organizations/{id}': async () => (await given.organization()).id,
  '/v1/api-keys/{id}': async (by) => (await given.apiKey(by)).id,
};

/**
 * @returns the id of a fresh resource that belongs to the caller; for a resource below another one, the ids of both with
 * a slash between them
 */
export function resourceOf({ path }: Endpoint, by: Client, draft = () => given.invoice(by)): Promise<string> {
  const make = makers[path];
  if (!make) throw new Error(`test/support/resources.ts does not say how to make the resource of ${path}.`);
  return make(by, draft);
}

const { paths } = openApiDocument(routes);

export function operationOf({ method, path }: Endpoint): Operation {
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The document lacks ${method} ${path}.`);
  return operation;
}

/** The parameters without which an operation answers nothing, as the document shows them. */
export function requiredQueryOf(endpoint: Endpoint): Record<string, string> {
  const { parameters = [] } = operationOf(endpoint);
  const needed = parameters.filter((each) => 'in' in each && each.in === 'query' && each.required);
  return Object.fromEntries(needed.map(({ name, example }) => [name, String(example)]));
}

/** Puts the id of a resource into a path. If the path asks for more ids than there are, it gets the last one again. */
export function pathTo(path: string, id: string): string {
  const ids = id.split('/');
  return path.replace(/\{\w+\}/g, () => (ids.length > 1 ? ids.shift() : ids[0]) ?? '');
}

/** The GET of the tagged resource that the path of an operation names: a single one, by an id. */
export function readOf({ path }: Endpoint): Endpoint | undefined {
  return routes.find(
    (route) =>
      route.method === 'GET' &&
      taggedSchema(route) !== undefined &&
      (path === route.path || (route.path.endsWith('}') && path.startsWith(`${route.path}/`))),
  );
}

/** The tag of what a filled path names. A timer is shown while it runs. */
export async function tagFor(endpoint: Endpoint, path: string, by: Client): Promise<string> {
  const segments = (readOf(endpoint)?.path ?? '').split('/').length;
  const isTimer = endpoint.path.includes('/timer/');
  const shown = isTimer ? '/v1/work/tracker/timer/active' : path.split('/').slice(0, segments).join('/');
  return (await by.get(shown)).headers.get('etag') ?? '';
}
