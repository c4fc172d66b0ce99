import { beforeEach, describe, expect, it } from 'vitest';
import { formatMinor, parseMinor } from '#shared/domain/money.ts';
import { minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import { Dice } from '#test/search/dice.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { pickRounding } from '#test/support/rounding.ts';

const ORGANIZATION = '/v1/organization';
const PROJECTS = '/v1/work/tracker/projects';
const ENTRIES = '/v1/work/tracker/entries';
const QUARTERS = { minutes: 15, mode: 'up', minimumMinutes: 0 };

let ana: User;

beforeEach(async () => {
  ana = await given.user();
});

const ruleOfAll = (rounding: unknown) => ana.patch(ORGANIZATION, { rounding });
const change = async (entry: Json, body: Json) => (await ana.patch(`${ENTRIES}/${entry.id}`, body)).body.data;
const work = (values: Json = {}) => given.entry(ana, { durationMinutes: 50, rate: 60, ...values });

describe('a rule of rounding', () => {
  it('is shown with its defaults, replaced as a whole, and taken away by null', async () => {
    expect((await ana.get(ORGANIZATION)).body.data.rounding).toBeNull();
    expect((await ruleOfAll({ minutes: 15 })).body.data.rounding).toEqual(QUARTERS);
    const project = await given.project(ana, { rounding: { minutes: 6, mode: 'nearest', minimumMinutes: 30 } });
    expect(project.rounding).toEqual({ minutes: 6, mode: 'nearest', minimumMinutes: 30 });
    const { body } = await ana.patch(`${PROJECTS}/${project.id}`, { rounding: { minutes: 10 } });
    expect(body.data.rounding).toEqual({ ...QUARTERS, minutes: 10 });
    await ana.patch(`${PROJECTS}/${project.id}`, { rounding: null });
    expect((await ana.get(`${PROJECTS}/${project.id}`)).body.data.rounding).toBeNull();
    expect((await ruleOfAll(null)).body.data.rounding).toBeNull();
  });

  it('bills from the next entry on: that of the project, else that of the organization, also without a project', async () => {
    const [own, other] = [await given.project(ana, { rounding: { minutes: 60 } }), await given.project(ana)];
    const billed = async (values: Json) => (await work(values)).billedMinutes;
    expect([await billed({}), await billed({ projectId: own.id }), await billed({ projectId: other.id })]).toEqual([
      50, 60, 50,
    ]);
    await ruleOfAll({ minutes: 15, minimumMinutes: 90 });
    expect([await billed({}), await billed({ projectId: own.id }), await billed({ projectId: other.id })]).toEqual([
      90, 60, 90,
    ]);
    await ruleOfAll(null);
    await ana.patch(`${PROJECTS}/${own.id}`, { rounding: null });
    expect([await billed({}), await billed({ projectId: own.id })]).toEqual([50, 50]);
  });
});

describe('the billed minutes of an entry', () => {
  beforeEach(async () => {
    await ruleOfAll(QUARTERS);
  });

  it('make its amount and quantity, and leave the duration as it is', async () => {
    expect(await work()).toMatchObject({ durationMinutes: 50, billedMinutes: 60, quantity: '1', amount: '60.00' });
    expect(await work({ billable: false })).toMatchObject({ billedMinutes: 50, quantity: '0.833333', amount: '0.00' });
    const free = await work({ billedMinutes: 0 });
    expect(free).toMatchObject({ durationMinutes: 50, billedMinutes: 0, quantity: '0', amount: '0.00' });
  });

  it('stay when the rule changes, until the duration does, or null brings the rule back', async () => {
    const entry = await work();
    const own = await work({ billedMinutes: 7 });
    await ruleOfAll({ minutes: 60, minimumMinutes: 120 });
    expect((await ana.get(`${ENTRIES}/${entry.id}`)).body.data).toEqual(entry);
    expect((await change(entry, { description: 'Other', rate: 90 })).billedMinutes).toBe(60);
    expect((await change(entry, { durationMinutes: 51 })).billedMinutes).toBe(120);
    expect((await change(own, { description: 'Other' })).billedMinutes).toBe(7);
    expect((await change(own, { billedMinutes: null })).billedMinutes).toBe(120);
  });

  it('are refused for what is not billable with a 422, which changes nothing', async () => {
    const entry = await work();
    const body = {
      description: 'Work',
      durationMinutes: 50,
      entryDate: '2026-11-20',
      billable: false,
      billedMinutes: 60,
    };
    const change = { billable: false, billedMinutes: 60 };
    for (const reply of [await ana.post(ENTRIES, body), await ana.patch(`${ENTRIES}/${entry.id}`, change)])
      expect([reply.status, reply.body.errors[0].path]).toEqual([422, 'billedMinutes']);
    const { body: listed } = await ana.get(ENTRIES);
    expect(listed.data).toEqual([entry]);
    expect((await ana.patch(`${ENTRIES}/${entry.id}`, { billable: false, billedMinutes: 50 })).status).toBe(200);
  });

  it('are those of the rule when a timer stops', async () => {
    const { id: projectId } = await given.project(ana, { billable: true, rounding: { minutes: 30 } });
    const billed = async (values: Json) => {
      const { id } = await given.timer(ana, values);
      return (await ana.post(`/v1/work/tracker/timer/${id}/stop`)).body.data.workEntry.billedMinutes;
    };
    expect([await billed({}), await billed({ projectId })]).toEqual([15, 30]);
  });

  it('are those of the rule when rows are imported', async () => {
    const { id: projectId } = await given.project(ana, { rounding: { minutes: 60, minimumMinutes: 90 } });
    const row = { date: '2026-11-20', durationMinutes: 50 };
    const rows = [row, { ...row, project: 'Site' }];
    await ana.post('/v1/work/tracker/imports', { origin: 'old', rows, projectMapping: { Site: projectId } });
    const { body } = await ana.get(ENTRIES);
    expect(new Set(body.data.map((entry: Json) => entry.billedMinutes))).toEqual(new Set([60, 120]));
  });
});

/** Drawn, so that figures meet that nobody has thought of. */
const ENTRY_COUNT = 25;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

describe('all that is billed', () => {
  it('is the same in entries, projects, summaries, the invoice and its credits', async () => {
    const dice = new Dice(25);
    const { id: clientId } = await given.client(ana);
    const projects = await Promise.all(
      [1, 2].map(() => given.project(ana, { clientId, rate: 33.33, currency: 'EUR', rounding: pickRounding(dice) })),
    );
    const someProject = () => dice.pick([...projects.map(({ id }) => id), null]);
    for (let i = 0; i < ENTRY_COUNT; i++) {
      if (i % 5 === 0) await ruleOfAll(pickRounding(dice));
      const billable = dice.chance(0.8);
      const entry = await work({
        clientId,
        projectId: someProject(),
        durationMinutes: 1 + dice.below(300),
        currency: 'EUR',
        rate: dice.pick([33.33, 0, 100]),
        billable,
        entryDate: dice.pick(['2026-10-30', '2026-11-02', '2026-11-20']),
        billedMinutes: billable ? dice.pick([undefined, undefined, 0, 7]) : undefined,
      });
      const changed = dice.pick([
        {},
        { durationMinutes: 1 + dice.below(99) },
        { projectId: someProject() },
        { billable: true },
      ]);
      await change(entry, changed);
    }
    const { body: listed } = await ana.get(ENTRIES, { limit: 200, clientId });
    const billable = listed.data.filter((entry: Json) => entry.billable);
    const minutes = sum(billable.map((entry: Json) => entry.billedMinutes));
    const amount = formatMinor(
      billable.reduce((all: bigint, entry: Json) => all + parseMinor(entry.amount), 0n),
      'EUR',
    );
    expect(minutes).not.toBe(sum(billable.map((entry: Json) => entry.durationMinutes)));

    const range = { dateFrom: '2026-10-01', dateTo: '2026-11-30' };
    for (const groupBy of ['project', 'client', 'user', 'day', 'week', 'month']) {
      const { data } = (await ana.get(`${ENTRIES}/summary`, { ...range, groupBy })).body;
      const { byProject, byCurrency, groups } = data;
      for (const parts of [[data], byProject, byCurrency, groups])
        expect(sum(parts.map((part: Json) => part.billedMinutes)), groupBy).toBe(minutes);
      expect(data.totalAmount).toBe(Number(amount));
      expect(data.trackedMinutes).toBe(sum(listed.data.map((entry: Json) => entry.durationMinutes)));
    }
    for (const billingStatus of ['unbilled', 'non_billable']) {
      const { data } = (await ana.get(`${ENTRIES}/summary`, { ...range, billingStatus })).body;
      expect(data.billedMinutes).toBe(billingStatus === 'unbilled' ? minutes : 0);
    }
    for (const { id } of projects) {
      const own = billable.filter((entry: Json) => entry.projectId === id);
      const { data } = (await ana.get(`${PROJECTS}/${id}`)).body;
      expect(data.billedMinutes).toBe(sum(own.map((entry: Json) => entry.billedMinutes)));
      expect(data.billableMinutes).toBe(sum(own.map((entry: Json) => entry.durationMinutes)));
    }

    const timeEntries = { ...range, groupBy: 'project', taxRate: '19' };
    const { data: invoice } = (await ana.post('/invoices', { clientId, currency: 'EUR', timeEntries })).body;
    expect(invoice.subtotal).toBe(amount);
    const hours = (lines: readonly Json[]) => sum(lines.map(({ quantity }) => minutesOfQuantity(quantity)));
    const worked = (lines: readonly Json[]) =>
      sum(lines.map(({ workedMinutes, quantity }) => workedMinutes ?? minutesOfQuantity(quantity)));
    expect(hours(invoice.lineItems)).toBe(minutes);
    expect(worked(invoice.lineItems)).toBe(sum(billable.map((entry: Json) => entry.durationMinutes)));
    expect((await ana.post(`/invoices/${invoice.id}/send`)).status).toBe(200);

    const [line, ...rest] = invoice.lineItems;
    const some = line.entryIds.slice(0, Math.ceil(line.entryIds.length / 2));
    const credit = async (lines: readonly Json[]) =>
      (await ana.post(`/invoices/${invoice.id}/credit-notes`, { reason: 'Too much', lines })).body.data;
    const part = await credit([{ lineItemId: line.id, entryIds: some }]);
    const ofPart = billable.filter((entry: Json) => some.includes(entry.id));
    expect(hours(part.lineItems)).toBe(sum(ofPart.map((entry: Json) => entry.billedMinutes)));
    expect(worked(part.lineItems)).toBe(sum(ofPart.map((entry: Json) => entry.durationMinutes)));
    const left = await credit([line, ...rest].map(({ id }) => ({ lineItemId: id })));
    expect(hours([...part.lineItems, ...left.lineItems])).toBe(minutes);
    expect(worked([...part.lineItems, ...left.lineItems])).toBe(worked(invoice.lineItems));
  });
});
