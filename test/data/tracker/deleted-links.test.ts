import { beforeAll, describe, expect, it } from 'vitest';
import { readEntries } from '#shared/data/tracker/entries.ts';
import { bookEntries, ledgerSums, recount } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';

/** Links to what was deleted stay in the table for ever. What is asserted here is that nobody sees them. */

const TRACKER = '/v1/work/tracker';
const DATES = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-20', '2027-01-01'];
const RANGE = { dateFrom: '2026-10-01', dateTo: '2027-12-31' };

const deleteProject = async (by: User, { id }: Json) =>
  expect((await by.delete(`${TRACKER}/projects/${id}`)).status).toBe(200);

const deleteClient = async (by: User, { id }: Json) => expect((await by.delete(`/clients/${id}`)).status).toBe(200);

const read = async (by: User, path: string, query: Json = {}) => (await by.get(`${TRACKER}${path}`, query)).body;

describe('a deleted project', () => {
  let ana: User;
  let project: Json;
  let ids: string[];

  beforeAll(async () => {
    ana = await given.user();
    project = await given.project(ana);
    ids = await bookEntries(ana, project, 300, DATES);
  });

  it('is linked to by nobody from the first moment, while pages and sums stay as they were', async () => {
    const queries = [{ limit: 200 }, { limit: 100, offset: 150 }, { limit: 100, q: 'work 1' }];
    const pageOf = async (query: Json) => {
      const { data, meta } = await read(ana, '/entries', query);
      return { ids: data.map(({ id }: Json) => id), total: meta.total };
    };
    const pages = await Promise.all(queries.map(pageOf));
    const { byProject: _, ...before } = (await read(ana, '/entries/summary', RANGE)).data;
    await deleteProject(ana, project);

    expect(await Promise.all(queries.map(pageOf))).toEqual(pages);
    const { byProject, ...after } = (await read(ana, '/entries/summary', RANGE)).data;
    expect(after).toEqual(before);
    expect(byProject.map(({ projectId }: Json) => projectId)).toEqual([null]);
    const shown = [
      await read(ana, `/entries/${ids[0]}`),
      await read(ana, '/entries', { limit: 200 }),
      await read(ana, '/projects'),
    ];
    expect(JSON.stringify([shown, byProject])).not.toContain(project.id);
    const filtered = await read(ana, '/entries', { projectId: project.id });
    expect(filtered).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('takes no new time, and lets go of the entries that are changed', async () => {
    const late = { description: 'Late', durationMinutes: 1, entryDate: '2026-11-20', projectId: project.id };
    expect((await ana.post(`${TRACKER}/entries`, late)).body.code).toBe('reference_not_found');
    expect((await ana.post(`${TRACKER}/timer/start`, { projectId: project.id })).body.code).toBe('reference_not_found');
    const changed = await ana.patch(`${TRACKER}/entries/${ids[0]}`, { description: 'Edited' });
    expect(changed.body.data).toMatchObject({ description: 'Edited', projectId: null });
    expect((await ana.delete(`${TRACKER}/entries/${ids[1]}`)).status).toBe(200);
    const left = await readEntries(ana.organization.id, ids);
    expect(left).toHaveLength(299);
    expect(await ledgerSums(ana)).toEqual(recount(left));
  });
});

describe('a deleted client', () => {
  it('leaves its name on its entries, nothing on its projects, and all sums as they were', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Acme' });
    const project = await given.project(ana, { clientId: client.id });
    const [id = ''] = await bookEntries(ana, project, 20, DATES);
    const before = (await read(ana, '/entries/summary', RANGE)).data;
    await deleteClient(ana, client);

    const own = { clientId: null, clientLabel: 'Acme', projectId: project.id };
    expect((await read(ana, `/entries/${id}`)).data).toMatchObject(own);
    for (const entry of (await read(ana, '/entries')).data) expect(entry).toMatchObject(own);
    expect((await read(ana, '/entries', { q: 'acm' })).meta.total).toBe(20);
    expect((await read(ana, '/entries', { clientId: client.id })).meta.total).toBe(0);
    expect((await read(ana, '/entries/summary', RANGE)).data).toEqual(before);
    expect((await read(ana, `/projects/${project.id}`)).data.clientId).toBeNull();
    expect((await read(ana, '/projects')).data).toMatchObject([{ id: project.id, clientId: null }]);
    expect((await read(ana, '/projects', { clientId: client.id })).meta.total).toBe(0);
    const renamed = await ana.patch(`${TRACKER}/projects/${project.id}`, { code: 'A1' });
    expect(renamed.body.data).toMatchObject({ code: 'A1', clientId: null });
  });

  it('does not come back to a project that is changed at the same moment', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    const project = await given.project(ana, { clientId: client.id });
    const patches = Array.from({ length: 20 }, (_, i) =>
      ana.patch(`${TRACKER}/projects/${project.id}`, { code: `${i}`, ...(i % 2 && { clientId: client.id }) }),
    );
    const [, ...replies] = await Promise.all([deleteClient(ana, client), ...patches]);
    for (const { status } of replies) expect([200, 400]).toContain(status);
    expect((await read(ana, `/projects/${project.id}`)).data.clientId).toBeNull();
  });

  it('is billed for no more time from the first moment, by new invoices and by drafts that it has', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    const [billed, late] = [
      await given.entry(ana, { clientId: client.id, rate: 10 }),
      await given.entry(ana, { clientId: client.id, rate: 10 }),
    ];
    const invoice = await given.invoice(ana, { clientId: client.id, lineItems: [{ entryIds: [billed.id] }] });
    beforeTransaction(() => deleteClient(ana, client));
    for (const reply of [
      await ana.post('/invoices', { clientId: client.id, lineItems: [{ name: 'Fee', price: '1' }] }),
      await ana.post('/invoices', { clientId: client.id, lineItems: [{ entryIds: [late.id] }] }),
      await ana.patch(`/invoices/${invoice.id}`, { lineItems: [{ entryIds: [billed.id, late.id] }] }),
    ]) {
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'reference_not_found', errors: [{ path: 'clientId' }] },
      });
    }
    const lineItems = [...invoice.lineItems, { name: 'Fee', price: '1' }];
    expect((await ana.patch(`/invoices/${invoice.id}`, { lineItems })).status).toBe(200);
  });
});
