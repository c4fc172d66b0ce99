import createClient from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { paths } from '#dist/client.ts';
import { readPdf, squeeze } from '#test/pdf/read-pdf.ts';
import { given, type User } from '#test/support/given.ts';
import { assertDocumented, bodyOf } from '#test/support/openapi-validator.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';

/**
 * A business day with the client that openapi-typescript generates from the OpenAPI document: nothing here knows of a path, a member or a type but
 * from there, so that what a customer generates compiles and works. Each step goes on where the one before has ended.
 */

const DAY = '2026-11-20';
const MONTH = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
/** The timer of the test runs today, whichever day that is. */
const ANY_DAY = { dateFrom: '2000-01-01', dateTo: '2999-12-31' };

/** All but CSV, which two operations answer whoever asks for it. */
type Media = `application/${string}`;

type Api = ReturnType<typeof createClient<paths, Media>>;

/** What an operation answers when it succeeds. */
function succeeded<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(`It was refused: ${JSON.stringify(error)}`);
  return data;
}

describe('a business day', () => {
  let api: Api;
  let ana: User;
  let account: RemoteAccount;
  let productId: string;
  let clientId: string;
  let projectId: string;
  let entryId: string;
  let importJobId: string;
  let invoiceId: string;

  beforeAll(async () => {
    ana = await given.user();
    account = await given.remoteAccount({
      entries: [
        { hours: 2, project: 'Website', client: 'Globex', notes: 'Wireframes', rate: 90 },
        { hours: 1.5, project: 'Website', client: 'Globex', notes: 'Review', rate: 90 },
        { hours: 1, project: 'Elsewhere', client: 'Initrode', notes: 'Call', rate: 50 },
      ],
    });
    api = createClient<paths, Media>({
      baseUrl: process.env.API_URL,
      headers: { authorization: `Bearer ${ana.apiKey}` },
    });
    api.use({
      onResponse: async ({ request, response }) => {
        const { status, headers } = response;
        const body = bodyOf({ headers, text: await response.clone().text() });
        assertDocumented(request.method, new URL(request.url).pathname, { status, headers, body });
      },
    });
  });

  afterAll(async () => {
    await api.DELETE('/v1/work/tracker/remote');
  });

  it('begins with something to sell, which a search finds', async () => {
    const body = { name: 'Consulting', price: '120.00', unit: 'hour', taxRate: '19' };
    const { data: product } = succeeded(await api.POST('/products', { body }));
    expect(product).toMatchObject({ ...body, isActive: true, usageCount: 0 });
    productId = product.id;
    const path = { id: productId };
    succeeded(await api.PATCH('/products/{id}', { params: { path }, body: { price: '135.00' } }));
    const found = succeeded(await api.GET('/products/search', { params: { query: { q: 'CONSULT' } } }));
    expect(found.data.map(({ id, price }) => ({ id, price }))).toEqual([{ id: productId, price: '135.00' }]);
  });

  it('goes on with a client, who is on the page by cursor too', async () => {
    const { data: client } = succeeded(await api.POST('/clients', { body: { name: 'Globex', countryCode: 'de' } }));
    expect(client).toMatchObject({ name: 'Globex', countryCode: 'DE', email: null });
    const page = succeeded(await api.GET('/clients', { params: { query: { pagination: 'cursor', first: 10 } } }));
    expect('edges' in page && page.edges.map(({ node }) => node.id)).toEqual([client.id]);
    clientId = client.id;
  });

  it('and a project of this client, whose name nobody else can have', async () => {
    const body = { name: 'Website', clientId, rate: 95, billable: true };
    const { data: project } = succeeded(await api.POST('/v1/work/tracker/projects', { body }));
    expect(project).toMatchObject({ name: 'Website', clientId, defaultRate: '95', totalMinutes: 0 });
    const again = await api.POST('/v1/work/tracker/projects', { body: { name: 'WEBSITE' } });
    expect(again.response.status).toBe(409);
    expect(again.error?.code).toBe('project_name_taken');
    projectId = project.id;
  });

  it('books work by hand at the rate of the project', async () => {
    const body = { description: 'Workshop', durationMinutes: 90, entryDate: DAY, projectId };
    const { data: entry } = succeeded(await api.POST('/v1/work/tracker/entries', { body }));
    expect(entry).toMatchObject({ quantity: '1.5', rate: '95', amount: '142.50', clientId, billingStatus: 'unbilled' });
    entryId = entry.id;
  });

  it('corrects what was booked', async () => {
    const params = { path: { id: entryId } };
    const body = { startTime: '09:00', endTime: '11:00' };
    const { data: entry } = succeeded(await api.PATCH('/v1/work/tracker/entries/{id}', { params, body }));
    expect(entry).toMatchObject({ durationMinutes: 120, amount: '190.00', startedAt: `${DAY}T09:00:00.000Z` });
  });

  it('measures work with a timer, which books it when it stops', async () => {
    const started = succeeded(
      await api.POST('/v1/work/tracker/timer/start', { body: { projectId, description: 'Sketches' } }),
    );
    const active = succeeded(await api.GET('/v1/work/tracker/timer/active'));
    expect(active.data?.id).toBe(started.data.id);
    const params = { path: { sessionId: started.data.id } };
    const { data: stopped } = succeeded(await api.POST('/v1/work/tracker/timer/{sessionId}/stop', { params }));
    expect(stopped).toMatchObject({ durationMinutes: 1, session: { status: 'stopped' } });
    expect(stopped.workEntry).toMatchObject({ description: 'Sketches', rate: '95', timerSessionId: started.data.id });
  });

  it('sees the hours of the month, by project', async () => {
    const { data } = succeeded(await api.GET('/v1/work/tracker/entries/summary', { params: { query: ANY_DAY } }));
    const { data: project } = succeeded(
      await api.GET('/v1/work/tracker/projects/{id}', { params: { path: { id: projectId } } }),
    );
    expect(data).toMatchObject({ totalMinutes: 121, trackedMinutes: 121, totalAmount: 191.58, currency: 'USD' });
    expect(data.byProject).toMatchObject([{ projectId, projectName: 'Website', totalAmount: 191.58 }]);
    expect(project).toMatchObject({ totalMinutes: 121, totalAmount: 191.58 });
  });

  it('connects the tracker that the rest of the team uses', async () => {
    const { accessToken, accountId } = account;
    const { data } = succeeded(await api.POST('/v1/work/tracker/remote/connect', { body: { accessToken, accountId } }));
    expect(data).toMatchObject({ connected: true, accountName: 'Initech', syncEnabled: false });
  });

  it('looks at what is there, and imports it with the links that are beyond doubt', async () => {
    const { data: preview } = succeeded(await api.POST('/v1/work/tracker/remote/sync/preview', { body: MONTH }));
    expect(preview).toMatchObject({ newEntries: 3, duplicateEntries: 0, unmappedProjects: ['Elsewhere'] });
    expect(preview.projectMapping).toEqual({ Website: projectId });
    const { rows, clientMapping, projectMapping, userMapping } = preview;
    const body = { rows, clientMapping, projectMapping, userMapping };
    const { data: done } = succeeded(await api.POST('/v1/work/tracker/remote/sync/confirm', { body }));
    expect(done).toMatchObject({ status: 'imported', importedCount: 3, skippedCount: 0 });
    const again = succeeded(await api.POST('/v1/work/tracker/remote/sync/confirm', { body }));
    expect(again.data).toMatchObject({ importedCount: 0, skippedCount: 3 });
    importJobId = done.importJobId;
  });

  it('finds the imported work among its own', async () => {
    const query = { source: 'remote_api', q: 'globex' };
    const { data, meta } = succeeded(await api.GET('/v1/work/tracker/entries', { params: { query } }));
    expect(meta.total).toBe(2);
    expect(new Set(data.map((entry) => entry.projectId))).toEqual(new Set([projectId]));
    expect(data.map(({ amount }) => amount).sort()).toEqual(['135.00', '180.00']);
  });

  it('takes the import back, once', async () => {
    const params = { path: { id: importJobId } };
    const undone = await api.POST('/v1/work/tracker/remote/sync/history/{id}/undo', { params });
    expect(succeeded(undone).data).toMatchObject({ removedCount: 3, keptEditedCount: 0, keptInvoicedCount: 0 });
    const again = await api.POST('/v1/work/tracker/remote/sync/history/{id}/undo', { params });
    expect(again.error?.code).toBe('import_not_undoable');
    const history = succeeded(await api.GET('/v1/work/tracker/remote/sync/history'));
    expect(history.data.map(({ status }) => status)).toEqual(['imported', 'undone']);
  });

  it('has the books then as they were before the import', async () => {
    const { data } = succeeded(
      await api.GET('/v1/work/tracker/projects/{id}', { params: { path: { id: projectId } } }),
    );
    expect(data).toMatchObject({ totalMinutes: 121, totalAmount: 191.58 });
  });

  it('bills the tracked time, to the cent of the summary, with something from the catalog', async () => {
    const lineItems = [{ productId, quantity: '2' }];
    const timeEntries = { ...ANY_DAY, groupBy: 'project', taxRate: '19' } as const;
    const body = { clientId, dueDate: '2999-12-31', lineItems, timeEntries };
    const { data: invoice } = succeeded(await api.POST('/invoices', { body }));
    expect(invoice.lineItems).toMatchObject([
      { name: 'Consulting', quantity: '2', price: '135.00', amount: '270.00', entryIds: [] },
      { name: 'Website', unit: 'hour', price: '95', amount: '191.58', taxRate: '19' },
    ]);
    const totals = { subtotal: '461.58', taxTotal: '87.70', total: '549.28' };
    expect(invoice).toMatchObject({ ...totals, status: 'draft', number: null, currency: 'USD' });
    const { data: product } = succeeded(await api.GET('/products/{id}', { params: { path: { id: productId } } }));
    expect(product.usageCount).toBe(1);
    invoiceId = invoice.id;
  });

  it('leaves billed time as it was billed', async () => {
    const params = { path: { id: entryId } };
    const { data: entry } = succeeded(await api.GET('/v1/work/tracker/entries/{id}', { params }));
    expect(entry).toMatchObject({ billingStatus: 'invoiced', invoiceId });
    const change = await api.PATCH('/v1/work/tracker/entries/{id}', { params, body: { durationMinutes: 60 } });
    expect(change.error?.code).toBe('entry_invoiced');
    const again = await api.POST('/invoices', { body: { clientId, timeEntries: { ...ANY_DAY, groupBy: 'day' } } });
    expect(again.error?.code).toBe('invoice_empty');
  });

  it('sends the invoice under the first number, and prints it', async () => {
    const params = { path: { id: invoiceId } };
    const { data: sent } = succeeded(await api.POST('/invoices/{id}/send', { params }));
    expect(sent).toMatchObject({ status: 'sent', number: 'INV-000001' });
    const pdf = succeeded(await api.GET('/invoices/{id}/pdf', { params, parseAs: 'arrayBuffer' }));
    const { pages } = await readPdf(new Uint8Array(pdf));
    const print = pages.map(({ squeezed }) => squeezed).join('');
    for (const part of ['INV-000001', 'Globex', 'Website', '549.28']) expect(print).toContain(squeeze(part));
  });

  it('is paid, after which nobody can void it', async () => {
    const params = { path: { id: invoiceId } };
    const { data: paid } = succeeded(await api.POST('/invoices/{id}/pay', { params }));
    expect(paid).toMatchObject({ status: 'paid', total: '549.28' });
    const refused = await api.POST('/invoices/{id}/void', { params });
    expect(refused.error?.code).toBe('invoice_state_forbids');
  });

  it('voids an invoice that was a mistake, and bills its time on another under the next number', async () => {
    const work = { description: 'Retrospective', durationMinutes: 30, entryDate: DAY, projectId };
    const { data: entry } = succeeded(await api.POST('/v1/work/tracker/entries', { body: work }));
    const body = { clientId, lineItems: [{ entryIds: [entry.id] }] };
    const { data: mistake } = succeeded(await api.POST('/invoices', { body }));
    const params = { path: { id: mistake.id } };
    succeeded(await api.POST('/invoices/{id}/send', { params }));
    expect(succeeded(await api.POST('/invoices/{id}/void', { params })).data).toMatchObject({ number: 'INV-000002' });
    const { data: second } = succeeded(await api.POST('/invoices', { body }));
    const sent = await api.POST('/invoices/{id}/send', { params: { path: { id: second.id } } });
    expect(succeeded(sent).data).toMatchObject({ number: 'INV-000003', subtotal: '47.50' });
  });

  it('ends with a list of the invoices, the latest number first', async () => {
    const query = { pagination: 'cursor', orderBy: 'number', orderDirection: 'desc' } as const;
    await expect
      .poll(async () => {
        const page = succeeded(await api.GET('/invoices', { params: { query } }));
        return 'edges' in page && page.edges.map(({ node }) => `${node.number} ${node.status}`);
      })
      .toEqual(['INV-000003 sent', 'INV-000002 void', 'INV-000001 paid']);
  });
});
