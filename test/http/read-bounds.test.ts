import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listClients } from '#shared/contract/clients/list-clients.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { listCreditNotes } from '#shared/contract/invoices/list-credit-notes.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { listUsers } from '#shared/contract/organization/list-users.ts';
import { listProducts } from '#shared/contract/products/list-products.ts';
import { searchProducts } from '#shared/contract/products/search-products.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { listProjects } from '#shared/contract/tracker/list-projects.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { readImported } from '#shared/data/remote/imported-entries.ts';
import { database } from '#shared/data/table/database.ts';
import { readEntryList, WHOLE_LIST } from '#shared/data/tracker/entry-list.ts';
import { countSkipped, countTime } from '#shared/work/invoices/unbilled-time.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invokeWith } from '#test/support/invoke.ts';

/**
 * What a request looks through is more than 100 MB, if one asks DynamoDB: its answers exaggerate here. A day takes
 * 40 MB, and whatever is looked through with a filter 120 MB. A preview reads 12 MB of days at most, and what weighs one
 * token looks through 20 MB.
 */

const DAY_UNITS = 10_000;
const LOOK_UNITS = 30_000;
const UNITS_OF_20_MB = 5_000;
const UNITS_OF_100_MB = 25_000;
const UNITS_OF_4_MB = 1_000;

const DATES = ['2026-11-18', '2026-11-19', '2026-11-20'];
const twoDays = { dateFrom: '2026-11-19', dateTo: '2026-11-20' };
const halfYear = { dateFrom: '2026-07-01', dateTo: '2026-12-31' };
const year = { dateFrom: '2026-01-01', dateTo: '2026-12-31' };
const threeDays = { dateFrom: '2026-11-18', dateTo: '2026-11-20' };

let ana: User;
let clientId: string;

beforeAll(async () => {
  ana = await given.user();
  clientId = (await given.client(ana)).id;
  await given.product(ana);
  for (const entryDate of DATES) await given.entry(ana, { clientId, entryDate, billable: true, rate: 100 });
  await given.connection(ana);
  const rows = DATES.map((date) => ({ date, durationMinutes: 60, billable: false }));
  await ana.post('/v1/work/tracker/remote/sync/confirm', { rows });
  database.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const units = exaggerated(args.input);
      const consumed = { CapacityUnits: units };
      const ConsumedCapacity = 'RequestItems' in args.input ? [consumed] : consumed;
      const isAsked = 'ReturnConsumedCapacity' in args.input && args.input.ReturnConsumedCapacity !== undefined;
      if (units > 0 && isAsked) Object.assign(answer.output, { ConsumedCapacity });
      return answer;
    },
    { step: 'initialize', priority: 'low', name: 'exaggerate' },
  );
});

afterAll(() => database.middlewareStack.remove('exaggerate'));

/** Of each reading of the ledger. */
let unitsOfSums = 0;

/** Of each reading of the calendar. */
let unitsOfCalendar = 0;

/** Of a day of entries, and of a hundred entries that are asked for by their ids. */
let unitsOfDay = DAY_UNITS;

/** Of a look through rows with a filter. */
let unitsOfLook = LOOK_UNITS;

/** Of a look through the names of deleted clients. */
let unitsOfNames = 0;

/** @param input of any call */
function exaggerated(input: object): number {
  if ('RequestItems' in input) return JSON.stringify(input).includes('#ENTRY') ? unitsOfDay : 0;
  const condition = 'KeyConditionExpression' in input ? String(input.KeyConditionExpression) : '';
  if (condition.includes(':day')) return unitsOfDay;
  if (condition !== '' && JSON.stringify(input).includes('#LEDGER')) return unitsOfSums;
  if (condition !== '' && JSON.stringify(input).includes('#CALENDAR')) return unitsOfCalendar;
  const isLook = condition.includes('#partition') && 'FilterExpression' in input && input.FilterExpression;
  if (!isLook) return 0;
  return JSON.stringify(input).includes('#DELETED') ? unitsOfNames : unitsOfLook;
}

type Invocation = Parameters<typeof invokeWith>[2];

const answered = (endpoint: Endpoint, invocation: Invocation) =>
  invokeWith(endpoint, `Bearer ${ana.apiKey}`, invocation);

const billing = (days: typeof twoDays) => ({
  body: { clientId, currency: ana.organization.currency, timeEntries: { ...days, groupBy: 'entry' } },
});

const rangeOf = ({ dateFrom, dateTo }: typeof twoDays) => ({ from: dateFrom, to: dateTo });

describe('what is more than 100 MB', () => {
  describe.each<[string, Endpoint, Readonly<Record<string, string>>]>([
    ['entries with q', listEntries, { q: 'x' }],
    ['entries of a user', listEntries, { userId: '01900000-0000-7000-8000-000000000001' }],
    ['unbilled entries', listEntries, { billingStatus: 'unbilled' }],
    ['entries on an invoice', listEntries, { invoiceId: '01900000-0000-7000-8000-000000000001' }],
    ['entries with a tag', listEntries, { tag: 'x' }],
    ['a summary by user', summarizeEntries, { groupBy: 'user' }],
    ['a summary of what is unbilled', summarizeEntries, { billingStatus: 'unbilled', groupBy: 'month' }],
  ])('is read by no request: %s', (_, endpoint, query) => {
    it('is refused', async () => {
      const { status, body } = await answered(endpoint, { query: { ...query, ...threeDays } });
      expect([status, body.code]).toEqual([400, 'range_too_large']);
      expect(body.errors).toMatchObject([{ path: 'dateFrom', message: expect.stringContaining('100 MB') }]);
    });

    it('is answered when it is less, while others book there', async () => {
      const days = ['2026-12-01', '2026-12-02'];
      const book = () => bookEntries(ana, null, 4, days);
      await book();
      const isOfDay = ({ input }: { readonly input: object }) => exaggerated(input) === DAY_UNITS;
      beforeCalls(isOfDay, [book, async () => {}, book]);
      const { status } = await answered(endpoint, {
        query: { ...query, dateFrom: '2026-12-01', dateTo: '2026-12-02' },
      });
      expect(status).toBe(200);
    });
  });

  it.each<[string, Endpoint, Readonly<Record<string, string>>]>([
    ['products with q', listProducts, { q: 'x' }],
    ['a search of products', searchProducts, { q: 'x' }],
    ['clients with q', listClients, { q: 'x' }],
    ['clients with q, by cursor', listClients, { q: 'x', pagination: 'cursor' }],
    ['invoices with q', listInvoices, { q: 'x' }],
    ['invoices with q, by cursor', listInvoices, { q: 'x', pagination: 'cursor' }],
    ['credit notes with q', listCreditNotes, { q: 'x' }],
    ['credit notes with q, by cursor', listCreditNotes, { q: 'x', pagination: 'cursor' }],
  ])('is looked through by no search: %s', async (_, endpoint, query) => {
    const { status, body } = await answered(endpoint, { query });
    expect([status, body.code]).toEqual([400, 'range_too_large']);
    expect(body.errors[0].message).toContain('100 MB');
    unitsOfLook = UNITS_OF_20_MB + 1;
    expect((await answered(endpoint, { query })).status).toBe(200);
    unitsOfLook = LOOK_UNITS;
  });

  it('is looked through for no name of a deleted client', async () => {
    unitsOfNames = LOOK_UNITS;
    const { status, body } = await answered(listEntries, { query: { q: 'x', ...twoDays } });
    unitsOfNames = 0;
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'range_too_large', 'q']);
  });

  it('becomes no file', async () => {
    const exported = (days: typeof twoDays) => readEntryList(ana.organization.id, rangeOf(days), WHOLE_LIST);
    expect((await exported(twoDays)).items).toHaveLength(4);
    const details = { errors: [{ path: 'dateFrom' }] };
    await expect(exported(threeDays)).rejects.toMatchObject({ code: 'range_too_large', details });
  });

  it('is compared with nothing that the provider has', async () => {
    const compared = (days: typeof twoDays) => readImported(ana.organization.id, 'any', rangeOf(days), []);
    [unitsOfDay, unitsOfSums] = [UNITS_OF_4_MB, UNITS_OF_4_MB];
    expect((await compared(twoDays)).ofRows.size).toBe(2);
    const tooMany = (size: string) => ({ code: 'too_many_remote_entries', message: expect.stringContaining(size) });
    unitsOfSums += 0.5;
    await expect(compared(twoDays)).rejects.toMatchObject(tooMany('more than the 12 MB'));
    unitsOfSums = 0;
    const unpaid = new Error('There are too few tokens.');
    const pay = () => Promise.reject(unpaid);
    await expect(readImported(ana.organization.id, 'any', rangeOf(threeDays), [], pay)).rejects.toBe(unpaid);
    unitsOfDay = DAY_UNITS;
    const rowEntryIds = Array.from({ length: 301 }, () => randomUUID());
    const elsewhere = readImported(
      ana.organization.id,
      'any',
      rangeOf({ dateFrom: '1999-01-01', dateTo: '1999-01-01' }),
      rowEntryIds,
    );
    await expect(elsewhere).rejects.toMatchObject(tooMany('more than the 100 MB'));
  });

  it('is rehearsed by no import', async () => {
    const rows = Array.from({ length: 201 }, (_, i) => ({ date: DATES[0], durationMinutes: 1, externalId: `${i}` }));
    const tried = (count: number) =>
      answered(importRows, { query: { dryRun: 'true' }, body: { origin: 'files', rows: rows.slice(0, count) } });
    expect((await tried(200)).status).toBe(200);
    expect(await tried(201)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'rows', message: expect.stringContaining('too long for one answer') }] },
    });
  });

  it('is billed by no invoice', async () => {
    const { status, body } = await answered(createInvoice, billing(threeDays));
    expect([status, body.code]).toEqual([422, 'invoice_too_large']);
    expect(body.errors).toMatchObject([{ path: 'timeEntries', message: expect.stringContaining('100 MB') }]);
    unitsOfSums = UNITS_OF_100_MB + 1;
    expect((await answered(createInvoice, billing(twoDays))).body.code).toBe('invoice_too_large');
    unitsOfSums = UNITS_OF_100_MB;
    expect((await answered(createInvoice, billing(twoDays))).status).toBe(201);
    unitsOfSums = 0;
  });

  it('is looked through for no reason why nothing is billed', async () => {
    const { id: organizationId } = ana.organization;
    const terms = { clientId, currency: 'JPY', projectId: null };
    const skipped = async (days: typeof twoDays) =>
      countSkipped(organizationId, { ...terms, ...days }, await countTime(organizationId, { ...terms, ...days }), []);
    expect(await skipped(twoDays)).toMatchObject({ otherCurrency: 2 });
    await expect(skipped(threeDays)).rejects.toMatchObject({ code: 'invoice_too_large' });
    unitsOfSums = UNITS_OF_100_MB + 1;
    const ofProject = countSkipped(organizationId, { ...terms, ...twoDays, projectId: randomUUID() }, [], []);
    await expect(ofProject).rejects.toMatchObject({ code: 'invoice_too_large' });
    unitsOfSums = 0;
  });

  it('lies around no page of a list that looks for nothing', async () => {
    const { status, body } = await answered(listEntries, { query: threeDays });
    expect([status, body.code]).toEqual([400, 'range_too_large']);
    expect(body.errors).toMatchObject([{ path: 'offset', message: expect.stringContaining('100 MB') }]);
    expect((await answered(listEntries, { query: { ...threeDays, limit: '4' } })).body.data).toHaveLength(4);
  });
});

describe('rows of more than 20 MB', () => {
  it.each<[string, Endpoint, Readonly<Record<string, string>>]>([
    ['invoices of a status', listInvoices, { status: 'paid' }],
    ['invoices of a status, by cursor', listInvoices, { status: 'paid', pagination: 'cursor' }],
    ['credit notes of a client', listCreditNotes, { clientId: '01900000-0000-7000-8000-000000000001' }],
    ['projects of a status', listProjects, { status: 'in_progress' }],
    ['users with q', listUsers, { q: 'x' }],
    ['users of a status', listUsers, { status: 'active' }],
  ])('are looked through by no list that weighs one token: %s', async (_, endpoint, query) => {
    unitsOfLook = UNITS_OF_20_MB + 1;
    const { status, body } = await answered(endpoint, { query });
    expect([status, body.code]).toEqual([400, 'range_too_large']);
    expect(body.errors[0].message).toContain('20 MB');
    unitsOfLook = UNITS_OF_20_MB;
    expect((await answered(endpoint, { query })).status).toBe(200);
    unitsOfLook = LOOK_UNITS;
  });
});

describe('sums of more than 20 MB', () => {
  it.each<[string, Endpoint, Readonly<Record<string, string>>]>([
    ['a summary', summarizeEntries, {}],
    ['a summary by week', summarizeEntries, { groupBy: 'week' }],
    ['a list of what is billable', listEntries, { billable: 'true' }],
    ['unbilled entries', listEntries, { billingStatus: 'unbilled' }],
    ['entries on an invoice', listEntries, { invoiceId: '01900000-0000-7000-8000-000000000001' }],
  ])('are added up by no request: %s', async (_, endpoint, query) => {
    unitsOfSums = UNITS_OF_20_MB + 1;
    for (const range of [twoDays, halfYear, year]) {
      const { status, body } = await answered(endpoint, { query: { ...query, ...range } });
      expect([status, body.code]).toEqual([400, 'range_too_large']);
      expect(body.errors).toMatchObject([{ path: 'dateFrom', message: expect.stringContaining('20 MB') }]);
    }
    unitsOfSums = UNITS_OF_20_MB;
    expect((await answered(endpoint, { query: { ...query, ...twoDays } })).status).toBe(200);
  });

  it.each<[string, object, 'LEDGER' | 'CALENDAR']>([
    ['a project, on a day', { dateFrom: '2026-08-05', dateTo: '2026-08-05' }, 'LEDGER'],
    ['a project, in half a year', halfYear, 'LEDGER'],
    ['all entries, in half a year', halfYear, 'CALENDAR'],
  ])('are added up by no list, also not in two readings: %s', async (_, range, kind) => {
    const { id: projectId } = await given.project(ana);
    await given.entry(ana, { projectId, entryDate: '2026-08-05' });
    const query = { ...range, limit: '1', ...(kind === 'LEDGER' && { projectId }) };
    const half = UNITS_OF_20_MB / 2;
    const statusWith = async (units: number) => {
      [unitsOfSums, unitsOfCalendar] = kind === 'LEDGER' ? [units, 0] : [0, units];
      return (await answered(listEntries, { query })).status;
    };
    expect([await statusWith(half + 1), await statusWith(half - 1)]).toEqual([400, 200]);
    [unitsOfSums, unitsOfCalendar] = [0, 0];
  });
});
