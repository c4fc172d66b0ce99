import { setImmediate } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { expect, it, vi } from 'vitest';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { lastDirectoryChangesKey } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import type { LineDraft } from '#shared/domain/invoices/line-item.ts';
import { MAX_PIECES } from '#shared/domain/tracker/list-plan.ts';
import { type InvoiceRequest, insertInvoice } from '#shared/work/invoices/insert-invoice.ts';
import { readProjectNames } from '#shared/work/invoices/line-sources.ts';
import {
  countSkipped,
  countTime,
  selectedCells,
  selects,
  selectUnbilled,
} from '#shared/work/invoices/unbilled-time.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls, betweenCalls } from '#test/support/interleaving.ts';

/** The later one is read first. */
const [EARLIER, LATER] = ['2026-11-02', '2026-11-20'];

const WORK = { durationMinutes: 60, rate: 50, billable: true };

const readsDay = (command: object) =>
  command instanceof QueryCommand && command.input.ExpressionAttributeValues?.[':day'] !== undefined;

const readsLedger = (command: object) =>
  command instanceof QueryCommand && JSON.stringify(command.input).includes('#LEDGER');

/** Of a new invoice. */
const insert = (organizationId: string, wanted: Pick<InvoiceRequest, 'draft'> & Partial<InvoiceRequest>) =>
  insertInvoice({
    owner: { organizationId },
    id: uuidV7(),
    now: new Date(),
    newId: uuidV7,
    answer: async () => [],
    remainingMilliseconds: () => 30_000,
    ...wanted,
  });

const multiplied = (sums: Json, by: number): Json =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, typeof sum === 'number' ? by * sum : sum]));

it.each<[string, readonly Json[]]>([
  ['number', [{ durationMinutes: 30 }, { durationMinutes: 30 }]],
  ['minutes', [{ durationMinutes: 50, billedMinutes: 60 }]],
  ['billed minutes', [{ billedMinutes: 30, rate: 100 }]],
  ['amount', [{ rate: 60 }]],
  ['billed minutes and the amount, and not in their digits,', [{ billedMinutes: 60_500, rate: 0 }]],
])(
  'an entry that moves to a day that was read is found, though what takes its place differs in the %s alone',
  async (_, others) => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const book = (values: Json) => given.entry(ana, { ...WORK, clientId, entryDate: EARLIER, ...values });
    const moved = await book({});
    const booked = [moved, await book({ entryDate: LATER })];
    const organizationId = ana.organization.id;
    const { currency } = ana.organization;
    const selection = { clientId, currency, projectId: null, dateFrom: EARLIER, dateTo: LATER };
    const counted = selectedCells(await countTime(organizationId, selection), selection);
    let days = 0;
    const readsSecondDay = (command: object) => readsDay(command) && ++days === 2;
    beforeCalls(readsSecondDay, [
      async () => {
        await ana.patch(`/v1/work/tracker/entries/${moved.id}`, { entryDate: LATER });
        for (const other of others) booked.push(await book(other));
      },
    ]);
    const { entries } = await selectUnbilled(organizationId, selection, counted);
    expect(entries.map(({ id }) => id).toSorted()).toEqual(booked.map(({ id }) => id).toSorted());
  },
);

it.each([
  [7, { entries: [{}] }],
  [8, { code: 'temporarily_unavailable' }],
])(
  'the entries are read eight times at most until they are those of the ledger: %d readings miss some',
  async (missed, expected) => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    await given.entry(ana, { ...WORK, clientId, entryDate: EARLIER });
    const { id: organizationId, currency } = ana.organization;
    const selection = { clientId, currency, projectId: null, dateFrom: EARLIER, dateTo: LATER };
    const counted = selectedCells(await countTime(organizationId, selection), selection);
    let readings = 0;
    betweenCalls(async (command, send) => {
      const answer: Json = await send(command);
      return readsDay(command) && ++readings <= missed ? { ...answer, Items: [] } : answer;
    });
    const outcome = await selectUnbilled(organizationId, selection, counted).catch((error: unknown) => error);
    expect(outcome).toMatchObject(expected);
    expect(readings).toBe(8);
  },
);

it('an invoice bills 10,000 entries of days and of lines, and of more days it says how many they hold', async () => {
  const ana = await given.user();
  const { id: clientId } = await given.client(ana);
  const book = (entryDate: string) => given.entry(ana, { ...WORK, clientId, entryDate });
  const [{ id }, other] = [await book(EARLIER), await book(LATER)];
  const send = database.send.bind(database);
  /** As if the day had so many of its entry. */
  const bill = async (entries: number, lineItems: readonly LineDraft[] = []) => {
    vi.spyOn(database, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
      const answer: Json = await send(command);
      if (readsLedger(command))
        return { ...answer, Items: answer.Items.map((sums: Json) => multiplied(sums, entries)) };
      if (!readsDay(command)) return answer;
      const [item] = answer.Items;
      const copy = (_: unknown, position: number) => ({ ...item, entry: item.entry.replace(id, `${position}`) });
      return { ...answer, Items: Array.from({ length: entries }, copy) };
    });
    const timeEntries = { dateFrom: EARLIER, dateTo: EARLIER, groupBy: 'project', taxRate: null } as const;
    return insert(ana.organization.id, {
      draft: { clientId, dueDate: null, notes: null, lineItems, timeEntries },
      answer: ({ lineItems: lines }) =>
        Promise.reject(new Error(`Bills ${lines.map(({ entryIds }) => entryIds.length)}.`)),
    });
  };
  await expect(bill(10_000)).rejects.toThrow('Bills 10000.');
  await expect(bill(9_999, [{ entryIds: [other.id] }])).rejects.toThrow('Bills 1,9999.');
  await expect(bill(10_000, [{ entryIds: [other.id] }])).rejects.toThrow('An invoice bills at most 10000 entries.');
  await expect(bill(10_001)).rejects.toThrow('The dates hold 10001 entries');
});

it('an invoice for nobody is refused as that, though the directory cannot be read either', async () => {
  const { organization } = await given.user();
  const ofDirectory = JSON.stringify(lastDirectoryChangesKey(organization.id));
  betweenCalls(async (command, send) => {
    if (JSON.stringify(command.input).includes(ofDirectory)) throw new Error('There is no directory.');
    return send(command);
  });
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const draft = { clientId: uuidV7(), lineItems: [{ name: 'Work', price: '1' }] };
  const refused = insert(organization.id, { draft });
  await expect(refused).rejects.toMatchObject({ code: 'reference_not_found' });
  await setImmediate();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

it.each([
  ['entry', 5],
  ['day', 2],
  ['project', 3],
] as const)(
  'an invoice of days pays for its entries, and for at least as many lines as: %s',
  async (groupBy, lines) => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const projects = [await given.project(ana, { clientId }), await given.project(ana, { clientId })];
    const [one, other] = projects.map(({ id }) => id);
    const booked = [
      [one, EARLIER],
      [one, EARLIER],
      [one, LATER],
      [other, EARLIER],
      [null, EARLIER],
    ] as const;
    for (const [projectId, entryDate] of booked) await given.entry(ana, { ...WORK, clientId, projectId, entryDate });
    const pay = vi.fn(() => Promise.reject(new Error('Too dear.')));
    const timeEntries = { dateFrom: EARLIER, dateTo: LATER, groupBy, taxRate: null };
    const draft = { clientId, dueDate: null, notes: null, lineItems: [], timeEntries };
    const wanted = insert(ana.organization.id, { draft, pay });
    await expect(wanted).rejects.toThrow('Too dear.');
    expect(pay.mock.calls).toEqual([[{ entries: booked.length, lines }]]);
  },
);

it('a project with time in so many months that they are read whole is billed without what others have in them', async () => {
  const ana = await given.user();
  const { id: clientId } = await given.client(ana);
  const project = await given.project(ana, { clientId });
  const months = Array.from({ length: MAX_PIECES + 1 }, (_, month) => new Date(Date.UTC(2023, month, 1)));
  const dates = months.map((month) => month.toISOString().slice(0, 'YYYY-MM-DD'.length));
  // The second of two is billable.
  for (const date of dates) await bookEntries(ana, project, 2, [date]);
  const other = await given.client(ana);
  await given.entry(ana, { ...WORK, clientId: other.id, entryDate: dates[0] });
  const { id: organizationId, currency } = ana.organization;
  const selection = { clientId, currency, projectId: project.id, dateFrom: '2023-01-01', dateTo: '2026-12-31' };
  const counted = selectedCells(await countTime(organizationId, selection), selection);
  const { entries } = await selectUnbilled(organizationId, selection, counted);
  expect(entries.map(({ entryDate }) => entryDate).toSorted()).toEqual(dates);
});

it('pages of the client alone are read to count its time, and of a project those of months with billable time', async () => {
  const ana = await given.user();
  const [{ id: clientId }, other] = [await given.client(ana), await given.client(ana)];
  const { id: projectId } = await given.project(ana, { clientId });
  await given.entry(ana, { ...WORK, projectId, entryDate: EARLIER });
  await given.entry(ana, { ...WORK, clientId: other.id, entryDate: EARLIER });
  const { id: organizationId, currency } = ana.organization;
  const readFor = async (wanted: string | null) => {
    const send = vi.spyOn(database, 'send');
    const year = { dateFrom: '2026-01-01', dateTo: '2026-12-31' };
    expect(await countTime(organizationId, { clientId, currency, projectId: wanted, ...year })).toHaveLength(1);
    const queries = send.mock.calls.flatMap(([command]) => (readsLedger(command) ? [JSON.stringify(command)] : []));
    send.mockRestore();
    return queries;
  };
  expect(await readFor(null)).toEqual([expect.stringContaining(clientId)]);
  const { length: usual } = await readFor(projectId);
  await given.entry(ana, { ...WORK, billable: false, projectId, entryDate: '2026-05-04' });
  expect(await readFor(projectId)).toHaveLength(usual);
});

it('what is left out of the time of a client is read no further where it was all counted', async () => {
  const selection = { clientId: uuidV7(), currency: 'USD', projectId: null, dateFrom: EARLIER, dateTo: LATER };
  const { calls } = await costOf(async () => {
    const skipped = await countSkipped(uuidV7(), selection, [], []);
    expect(skipped).toEqual({ notBillable: 0, noRate: 0, otherCurrency: 0, invoiced: 0 });
  });
  expect(calls).toBe(0);
});

it('an entry that has changed is selected from the first date to the last, of one project or of any and none', async () => {
  const ana = await given.user();
  const entry = await readEntry(ana.organization.id, (await given.entry(ana)).id);
  const selected = (projectId: string | null) => {
    const terms = { clientId: ana.userId, currency: ana.organization.currency };
    const isSelected = selects({ ...terms, projectId, dateFrom: EARLIER, dateTo: LATER });
    return ['2026-11-01', EARLIER, LATER, '2026-11-21'].map((entryDate) =>
      ['one', 'other', null].filter((of) => isSelected({ ...entry, entryDate, projectId: of })),
    );
  };
  const all = ['one', 'other', null];
  expect(selected(null)).toEqual([[], all, all, []]);
  expect(selected('one')).toEqual([[], ['one'], ['one'], []]);
});

it('a project that was made since the directory was read is found, though it has no time yet', async () => {
  const ana = await given.user();
  const { id: organizationId } = ana.organization;
  const directory = readDirectory(organizationId);
  await directory;
  const { id, name } = await given.project(ana);
  expect((await readProjectNames(organizationId, [], id, directory)).get(id)).toBe(name);
});
