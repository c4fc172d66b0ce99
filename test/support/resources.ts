import type { Endpoint } from '#shared/contract/endpoint.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';
import type { Client } from './client.ts';
import { given } from './given.ts';

async function refundable(by: Client): Promise<string> {
  const { id } = await given.sentInvoice(by);
  await given.payment(by, id, { amount: '49.90' });
  await given.creditNote(by, id);
  return id;
}

/** Makes the resource that an endpoint's path names: the matrices can then cover every route with an id. */
const makers: Readonly<Record<string, (by: Client) => Promise<string>>> = {
  '/products/{id}': async (by) => (await given.product(by)).id,
  '/clients/{id}': async (by) => (await given.client(by)).id,
  '/invoices/{id}': async (by) => (await given.invoice(by)).id,
  '/invoices/{id}/send': async (by) => (await given.invoice(by)).id,
  '/invoices/{id}/pay': async (by) => (await given.sentInvoice(by)).id,
  '/invoices/{id}/payments': async (by) => {
    const { id } = await given.sentInvoice(by);
    await given.payment(by, id);
    return id;
  },
  '/invoices/{id}/payments/{paymentId}': async (by) => {
    const { id } = await given.sentInvoice(by);
    return `${id}/${(await given.payment(by, id)).id}`;
  },
  '/invoices/{id}/refunds': refundable,
  '/invoices/{id}/credit-notes': async (by) => (await given.sentInvoice(by)).id,
  '/credit-notes/{id}': async (by) => (await given.creditNote(by, (await given.sentInvoice(by)).id)).id,
  '/credit-notes/{id}/pdf': async (by) => (await given.creditNote(by, (await given.sentInvoice(by)).id)).id,
  '/invoices/{id}/void': async (by) => (await given.sentInvoice(by)).id,
  '/invoices/{id}/pdf': async (by) => (await given.invoice(by)).id,
  '/invoices/{id}/e-invoice': async (by) => (await given.eInvoice(by)).id,
  '/invoices/{id}/e-invoice/check': async (by) => (await given.invoice(by)).id,
  '/credit-notes/{id}/e-invoice': async (by) => (await given.creditNote(by, (await given.eInvoice(by)).id)).id,
  '/credit-notes/{id}/e-invoice/check': async (by) => (await given.creditNote(by, (await given.sentInvoice(by)).id)).id,
  '/v1/work/tracker/projects/{id}': async (by) => (await given.project(by)).id,
  '/v1/work/tracker/entries/{id}': async (by) => (await given.entry(by)).id,
  '/v1/work/tracker/timer/{sessionId}': async (by) => (await given.runningTimer(by)).id,
  '/v1/work/tracker/timer/{sessionId}/stop': async (by) => (await given.runningTimer(by)).id,
  '/v1/work/tracker/timer/{sessionId}/discard': async (by) => (await given.runningTimer(by)).id,
  '/v1/work/tracker/remote/sync/history/{id}/undo': (by) => given.importJob(by),
  '/v1/users/{id}': async (by) => (await given.colleague(by)).id,
  '/v1/users/{id}/sign-ins': async (by) => (await given.colleague(by)).id,
  '/v1/users/{id}/invitations': async (by) => (await given.colleague(by)).id,
  '/v1/organizations/{id}': async () => (await given.organization()).id,
  '/v1/api-keys/{id}': async (by) => (await given.apiKey(by)).id,
};

/**
 * @returns the id of a fresh resource that belongs to the caller; for a resource below another one, the ids of both with
 * a slash between them
 */
export function resourceOf({ path }: Endpoint, by: Client): Promise<string> {
  const make = makers[path];
  if (!make) throw new Error(`test/support/resources.ts does not say how to make the resource of ${path}.`);
  return make(by);
}

const { paths } = openApiDocument(routes);

/** The parameters without which an operation answers nothing, as the document shows them. */
export function requiredQueryOf({ operationId }: Endpoint): Record<string, string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const { parameters = [] } = operations.find((each) => each.operationId === operationId) ?? {};
  const needed = parameters.filter((each) => 'in' in each && each.in === 'query' && each.required);
  return Object.fromEntries(needed.map(({ name, example }) => [name, String(example)]));
}

/** Puts the id of a resource into a path. If the path asks for more ids than there are, it gets the last one again. */
export function pathTo(path: string, id: string): string {
  const ids = id.split('/');
  return path.replace(/\{\w+\}/g, () => (ids.length > 1 ? ids.shift() : ids[0]) ?? '');
}
