import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { database } from '#shared/data/table/database.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { fillDirectory } from '#test/support/directories.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

describe('a list of entries', () => {
  it.each(['2026-02-28', '2026-11-30'])('finds by source what lies in one month, until %s', async (date) => {
    const ana = await given.user();
    const booked = await bookEntries(ana, null, 2, [date]);
    const reply = await invoke(listEntries, ana, { query: { source: 'native_tracker' } });
    expect(new Set(idsOf(reply))).toEqual(new Set(booked));
  });

  it('counts what is booked between its looking at the months and at the days of one', async () => {
    const ana = await given.user();
    const booked = await bookEntries(ana, null, 30, ['2026-10-05', '2026-11-20']);
    let added: string[] = [];
    beforeCalls(
      ({ input }) => JSON.stringify(input).includes('":from":"2026-10"'),
      [
        async () => {
          added = await bookEntries(ana, null, 1, ['2026-10-05']);
        },
      ],
    );
    const reply = await invoke(listEntries, ana, { query: { limit: '100' } });
    expect(added).toHaveLength(1);
    expect(reply.meta.total).toBe(31);
    expect(new Set(idsOf(reply))).toEqual(new Set([...booked, ...added]));
  });

  it('finds by a text the entries of more clients than DynamoDB lets a condition name', async () => {
    const ana = await given.user();
    const names = Array.from({ length: 101 }, (_, i) => `Globex ${i}${i < 100 ? ' Ltd' : ''}`);
    await fillDirectory(ana.organization.id, [...names, 'Initech']);
    const clients = [...(await readDirectory(ana.organization.id)).clients.values()];
    const bookFor = async (client: string | undefined): Promise<string> => {
      const clientId = clients.find(({ name }) => name === client)?.id;
      return (await given.entry(ana, { clientId, description: clientId ? 'Work' : 'A call with globex' })).id;
    };
    const wanted = [await bookFor(names[0]), await bookFor(names[100]), await bookFor(undefined)];
    await bookFor('Initech');
    const send = vi.spyOn(database, 'send');
    /** How many clients the conditions name that DynamoDB applies. */
    const named = async (q: string, expected: readonly (string | undefined)[]) => {
      send.mockClear();
      const reply = await invoke(listEntries, ana, { query: { q } });
      expect([reply.meta.total, new Set(idsOf(reply))]).toEqual([expected.length, new Set(expected)]);
      return send.mock.calls.flatMap(([{ input }]) => {
        const condition = ('FilterExpression' in input && input.FilterExpression) || '';
        return condition.includes('searchText') ? condition.split(':client').length - 1 : [];
      });
    };
    expect(new Set(await named('LTD', wanted.slice(0, 1)))).toEqual(new Set([100]));
    expect(await named('GLOBEX', wanted)).toEqual([]);
  });

  it('says of each entry that it is on the invoice by which it was found, though that one goes meanwhile', async () => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const { id } = await given.entry(ana, { clientId, rate: '100', metadata: { ticket: '1' } });
    const timeEntries = { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'entry' };
    const { id: invoiceId } = await given.invoice(ana, { clientId, timeEntries });
    const afterTheSearch = [async () => {}, () => ana.delete(`/invoices/${invoiceId}`)];
    beforeCalls((command) => command instanceof BatchGetCommand, afterTheSearch);
    const { data } = await invoke(listEntries, ana, { query: { invoiceId } });
    expect(data).toMatchObject([{ id, billingStatus: 'invoiced', invoiceId, metadata: { ticket: '1' } }]);
    expect((await ana.get(`/invoices/${invoiceId}`)).status).toBe(404);
  });

  it('takes no round trip more to search what is on an invoice, if that is not asked for', async () => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const { id } = await given.entry(ana, { clientId, rate: '100', metadata: { ticket: '1' } });
    const search = () => invoke(listEntries, ana, { query: { q: 'work' } });
    await search();
    const { calls, roundTrips } = await costOf(search);
    await given.invoice(ana, { clientId, lineItems: [{ entryIds: [id] }] });
    expect(await costOf(search)).toMatchObject({ calls: calls + 1, roundTrips });
  });

  it('searches each project on a day once while nobody books, and has what it finds in the order of lists', async () => {
    const ana = await given.user();
    const [one, other] = [await given.project(ana), await given.project(ana)];
    for (const { id: projectId } of [one, other, one]) await given.entry(ana, { projectId });
    const source = 'native_tracker';
    const listed = await invoke(listEntries, ana, { query: { source } });
    const send = vi.spyOn(database, 'send');
    const found = await invoke(listEntries, ana, { query: { source, q: 'work' } });
    expect(idsOf(found)).toEqual(idsOf(listed));
    const reads = send.mock.calls.filter(([{ input }]) => JSON.stringify(input).includes('":day"'));
    expect(reads).toHaveLength(2);
  });

  it('costs by the status of what is not billable no more than without it', async () => {
    const ana = await given.user();
    for (const entryDate of ['2026-11-18', '2026-11-19', '2026-11-20'])
      await given.entry(ana, { entryDate, billable: false });
    const costBy = (query: Record<string, string>) =>
      costOf(() => invoke(listEntries, ana, { query: { ...query, limit: '1' } }));
    await costBy({});
    const { calls, readUnits } = await costBy({ billable: 'false' });
    expect(await costBy({ billingStatus: 'non_billable' })).toMatchObject({ calls, readUnits });
  });

  it('looks for no clients where there are no entries to search', async () => {
    const ana = await given.user();
    const search = () => invoke(listEntries, ana, { query: { q: 'x', dateFrom: '2026-11-20', dateTo: '2026-11-20' } });
    await search();
    expect(await costOf(search)).toMatchObject({ calls: 2 });
  });

  it('takes as many when its entries are linked to what was deleted', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    const project = await given.project(ana, { clientId: client.id });
    await bookEntries(ana, project, 60, ['2026-11-20', '2026-11-19']);
    const list = () => invoke(listEntries, ana, { query: { limit: '20' } });
    for (const path of [`/v1/work/tracker/projects/${project.id}`, `/clients/${client.id}`]) {
      expect((await ana.delete(path)).status).toBe(200);
    }
    await list();
    expect(await costOf(list)).toMatchObject({ calls: 4, roundTrips: 3 });
  });

  it.each([
    ['thirteen months', ['2025-11-20', '2025-12-01', '2026-04-30', '2026-11-19']],
    ['days of many years', ['1999-12-31', '2004-02-29', '2011-06-15', '2026-11-20']],
  ])('over %s has the same pages by days and by months', async (_, dates) => {
    const ana = await given.user();
    const project = await given.project(ana);
    const other = await bookEntries(ana, null, 40, dates);
    const own = await bookEntries(ana, project, 12, dates);
    const all = async (query: Record<string, string>) => idsOf(await invoke(listEntries, ana, { query }));
    const whole = await all({ limit: '200' });
    expect(new Set(whole)).toEqual(new Set([...own, ...other]));
    const byDays = [];
    for (const date of dates.toReversed()) byDays.push(...(await all({ dateFrom: date, dateTo: date })));
    expect(whole).toEqual(byDays);
    for (let offset = 0; offset < whole.length; offset += 7) {
      expect(await all({ limit: '7', offset: `${offset}` })).toEqual(whole.slice(offset, offset + 7));
    }
    const ofProject = whole.filter((id) => own.includes(id));
    expect(await all({ projectId: project.id, limit: '5', offset: '4' })).toEqual(ofProject.slice(4, 9));
    const [first = '', last = ''] = [dates[0], dates.at(-1)];
    expect(await all({ dateFrom: first, dateTo: last, limit: '200' })).toEqual(whole);
  });
});
