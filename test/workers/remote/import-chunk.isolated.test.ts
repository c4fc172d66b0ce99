import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it, vi } from 'vitest';
import { handler as closeImport } from '#functions/remote/close-import.ts';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { handler as sweepImports } from '#functions/remote/sweep-imports.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { acquireBilling, newBilling } from '#shared/data/holds/billing.ts';
import { billingKey } from '#shared/data/layout/keys.ts';
import { getImport, listImports } from '#shared/data/remote/imports.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { entryTaking } from '#shared/data/tracker/entry-items.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import { type ImportRequest, startImport } from '#shared/work/remote/start-import.ts';
import type { Json } from '#test/support/client.ts';
import { draws } from '#test/support/draws.ts';
import { eventsOf } from '#test/support/events.ts';
import type { User } from '#test/support/given.ts';
import { given } from '#test/support/given.ts';
import {
  ACCOUNT_ID,
  deliver,
  entriesOf,
  expectEnded,
  expectRecounted,
  FUNCTION_CONTEXT,
  givenMappings,
  importBy,
  type Message,
  row,
  split,
  useHeldQueue,
} from '#test/support/imports.ts';
import { invoke } from '#test/support/invoke.ts';
import { deathsOf, mayDie, outside, useKilling } from '#test/support/kill.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { saveCredential } from '#test/support/syncs.ts';

vi.hoisted(() => {
  process.env.QUEUE_URL_IMPORTS = 'https://queues.example/imports.fifo';
});

const queue = useHeldQueue();
useKilling();
// The sweep is for all organizations, and other tests have imports of their own under way.
useOwnCloud();

/** So many months that the rows make three units. */
const ROWS: RemoteRow[] = Array.from({ length: 60 }, (_, i) =>
  row({
    date: `${2020 + (i % 5)}-${String(1 + (i % 12)).padStart(2, '0')}-15`,
    durationMinutes: 1 + i,
    externalId: i % 3 === 0 ? String(i) : null,
    project: i % 2 === 0 ? 'Website' : null,
    client: i % 2 === 0 ? 'Acme' : 'Unknown',
    billable: i % 5 > 0,
  }),
);

const isDelivered = (message: Message) => deliver(importChunk, message);

async function deliverAll(messages: readonly Message[]): Promise<void> {
  for (const message of messages) expect(await isDelivered(message)).toBe(true);
}

/** Starts an import and takes its messages out of the queue, one for each unit. */
async function started(request: ImportRequest): Promise<Message[]> {
  await startImport(request);
  return split(queue.messages.splice(0));
}

/** An import whose messages wait to be delivered. */
async function begun(rows = ROWS) {
  const { by, mappings } = await givenMappings();
  const request = importBy(by, rows, { mappings });
  return { by, request, messages: await started(request) };
}

const jobsOf = async (by: User) => (await listImports(by.organization.id, { limit: 10, offset: 0 })).items;

/** Each entry is named by one event, between the beginning and the end of an import, of which there is one each. */
async function expectTold(by: User, imported: readonly { readonly id: string }[]): Promise<void> {
  const events = await eventsOf(by, 0, { type: 'entries.*,import.*' });
  const named = events.flatMap(({ data }): string[] => data.entryIds ?? []);
  expect(named.toSorted()).toEqual(imported.map(({ id }) => id).toSorted());
  for (const { id, status } of await jobsOf(by)) {
    const [first, ...others] = events.filter(({ data }) => data.object.id === id).map(({ type }) => type);
    expect([first, others.pop(), others.filter((type) => type !== 'entries.imported')]).toEqual([
      'import.started',
      `import.${status}`,
      [],
    ]);
  }
}

describe('an import', () => {
  async function expectComplete({ by, request }: Awaited<ReturnType<typeof begun>>): Promise<void> {
    const job = await expectEnded(request);
    expect(job).toMatchObject({ status: 'imported', importedCount: ROWS.length, dedupedCount: 0 });
    const entries = await entriesOf(by, ROWS);
    expect(entries).toHaveLength(ROWS.length);
    await expectRecounted(by, entries);
    await expectTold(by, entries);
  }

  it('is complete whenever the worker dies, before or after any of its writes', async () => {
    const clean = await begun();
    expect(clean.messages.length).toBeGreaterThan(2);
    const { writes } = await mayDie(undefined, () => deliverAll(clean.messages));
    await expectComplete(clean);
    for (const death of deathsOf(writes)) {
      const attempt = await begun();
      const { outcome } = await mayDie(death, () => deliverAll(attempt.messages));
      expect(outcome).toBe('killed');
      await deliverAll(attempt.messages);
      await expectComplete(attempt);
    }
  }, 120_000);

  it(
    'imports each row once when messages come in any order, often, at the same time and to workers that die',
    async () => {
      const delivery = fc.record({
        message: fc.nat(),
        death: fc.option(
          fc.record({ write: fc.nat({ max: 3 }), moment: fc.constantFrom('before' as const, 'after' as const) }),
          { nil: undefined, freq: 2 },
        ),
      });
      const run = fc.record({
        count: fc.integer({ min: 6, max: 40 }),
        overlap: fc.nat({ max: 6 }),
        repeats: fc.integer({ min: 1, max: 2 }),
        atOnce: fc.integer({ min: 1, max: 3 }),
        deliveries: fc.array(delivery, { maxLength: 12 }),
      });
      await fc.assert(
        fc.asyncProperty(run, async ({ count, overlap, repeats, atOnce, deliveries }) => {
          const { by, mappings } = await givenMappings();
          const [first, second] = [ROWS.slice(0, count), ROWS.slice(count - overlap, count + 5)];
          // Where changed rows are updated, a unit holds a third of the rows: more units of fewer rows.
          const requests = [first, second].map((rows) => importBy(by, rows, { mappings, updateChanged: true }));
          const messages: Message[] = [];
          for (const request of requests) messages.push(...(await started(request)));
          const wanted = deliveries.map(({ message, death }) => ({
            message: messages[message % messages.length],
            death,
          }));
          for (let start = 0; start < wanted.length; start += atOnce) {
            const outcomes = wanted
              .slice(start, start + atOnce)
              .map(async ({ message, death }) => message && mayDie(death, () => isDelivered(message)));
            await Promise.all(outcomes);
          }
          for (let repeat = 0; repeat < repeats; repeat++) await deliverAll(messages.toReversed());
          const rows = [...new Set([...first, ...second])];
          const entries = await entriesOf(by, rows);
          expect(entries).toHaveLength(rows.length);
          await expectRecounted(by, entries);
          await expectTold(by, entries);
          const jobs = await Promise.all(requests.map(expectEnded));
          expect(jobs.map(({ status }) => status)).toEqual(['imported', 'imported']);
          expect(jobs.reduce((sum, { importedCount }) => sum + importedCount, 0)).toBe(rows.length);
        }),
        { numRuns: draws(6) },
      );
    },
    draws(60_000),
  );

  it('goes on without the links to what is deleted while it runs', async () => {
    const { by, request, messages } = await begun();
    await deliverAll(messages.slice(0, 1));
    const [projectId] = request.mappings.projects.values();
    expect((await by.delete(`/v1/work/tracker/projects/${projectId}`)).status).toBe(200);
    await deliverAll(messages);
    expect(await expectEnded(request)).toMatchObject({ status: 'imported', importedCount: ROWS.length });
    const { body } = await by.get('/v1/work/tracker/entries', { limit: 200 });
    expect(body.meta.total).toBe(ROWS.length);
    expect(body.data.every((entry: Json) => entry.projectId === null)).toBe(true);
  });

  it('skips what an entry of another import holds, and updates it only where that is wanted', async () => {
    const { by, mappings } = await givenMappings();
    const before = [row({ externalId: 'a' }), row({ externalId: 'b', date: '2025-01-31' }), row({ externalId: 'c' })];
    const after = [{ ...row({ externalId: 'a' }), durationMinutes: 90, project: 'Website' }, ...before.slice(1)];
    const [first, ignoring, updating] = [
      importBy(by, before, { mappings }),
      importBy(by, after, { mappings }),
      importBy(by, after, { mappings, updateChanged: true }),
    ];
    for (const request of [first, ignoring]) await deliverAll(await started(request));
    expect(await expectEnded(ignoring)).toMatchObject({ importedCount: 0, dedupedCount: 3 });
    expect((await entriesOf(by, before)).map(({ durationMinutes }) => durationMinutes)).toEqual([30, 30, 30]);
    await deliverAll(await started(updating));
    expect(await expectEnded(updating)).toMatchObject({ importedCount: 0, updatedCount: 1, dedupedCount: 2 });
    const entries = await entriesOf(by, before);
    expect(entries.find(({ imported }) => imported?.externalId === 'a')).toMatchObject({
      durationMinutes: 90,
      projectId: [...mappings.projects.values()][0],
      imported: { jobId: first.jobId, isEdited: false },
    });
    await expectRecounted(by, entries);
  });

  it('updates what leaves a month, a year and a project for every row', async () => {
    const by = await given.user();
    const years = Array.from({ length: 30 }, (_, i) => 1990 + i);
    const projects = new Map<string, string>();
    for (const year of years) projects.set(`Work of ${year}`, (await given.project(by)).id);
    const mappings = { clients: new Map(), projects, users: new Map() };
    const before = years.map((year) =>
      row({ externalId: `${year}`, date: `${year}-05-01`, project: `Work of ${year}` }),
    );
    const after = years.map((year) => row({ externalId: `${year}` }));
    await deliverAll(await started(importBy(by, before, { mappings })));
    const updating = importBy(by, after, { mappings, updateChanged: true });
    await deliverAll(await started(updating));
    expect(await expectEnded(updating)).toMatchObject({ status: 'imported', updatedCount: years.length });
    const entries = await entriesOf(by, after);
    expect(entries.every(({ projectId, entryDate }) => projectId === null && entryDate === '2026-11-02')).toBe(true);
    await expectRecounted(by, entries);
  });

  it('waits with updates of what is just being put on an invoice, until that has come to nothing', async () => {
    const { by, mappings } = await givenMappings();
    const { id: organizationId } = by.organization;
    const before = ['a', 'b'].map((externalId) => row({ externalId, client: 'Acme' }));
    await deliverAll(await started(importBy(by, before, { mappings })));
    const clientId = mappings.clients.get('Acme') ?? '';
    const billing = newBilling({ organizationId, clientId, id: uuidV7(), holdId: uuidV7() });
    const taken = await entriesOf(by, before);
    await transact([acquireBilling(billing), ...taken.flatMap((entry) => entryTaking(entry, billing.holdId))]);

    const unchanged = importBy(by, before, { mappings, updateChanged: true });
    await deliverAll(await started(unchanged));
    expect(await expectEnded(unchanged)).toMatchObject({ importedCount: 0, dedupedCount: 2 });

    const after = [...before.map((each) => ({ ...each, durationMinutes: 90 })), row({ externalId: 'c' })];
    const updating = importBy(by, after, { mappings, updateChanged: true });
    const [message] = await started(updating);
    expect(await isDelivered(message as Message)).toBe(false);
    expect(await getImport(organizationId, updating.jobId)).toMatchObject({ status: 'processing', doneUnitCount: 0 });
    const minutes = async () => (await entriesOf(by, before)).map(({ durationMinutes }) => durationMinutes);
    expect(await minutes()).toEqual([30, 30]);
    const Item = { ...billingKey(organizationId, clientId), ...billing, expiresAt: 0 };
    await database.send(new PutCommand({ TableName: TABLE_NAME, Item }));
    expect(await isDelivered(message as Message)).toBe(true);
    expect(await expectEnded(updating)).toMatchObject({ importedCount: 1, updatedCount: 2, dedupedCount: 0 });
    expect(await minutes()).toEqual([90, 90]);
    await expectRecounted(by, await entriesOf(by, after));
  });

  it('stops where it is when its job has been closed, and takes nothing back', async () => {
    const { by, request, messages } = await begun();
    await deliverAll(messages.slice(0, 1));
    await deliver(closeImport, messages[1] as Message);
    await deliverAll(messages);
    const job = await expectEnded(request);
    expect(job.status).toBe('failed');
    const entries = await entriesOf(by, ROWS);
    expect(entries).toHaveLength(job.importedCount);
    expect(job.importedCount).toBe(messages[0]?.units[0]?.rows.length);
    await expectRecounted(by, entries);
  });
});

describe('an import that cannot go on', () => {
  it('is closed by the next sweep where a sweep dies, with what was imported', async () => {
    const closers: ((message: Message) => Promise<unknown>)[] = [
      (message) => deliver(closeImport, message),
      () => sweepImports({ time: new Date(Date.now() + 25 * 60 * 60_000).toISOString() }, FUNCTION_CONTEXT),
    ];
    for (const close of closers) {
      const half = async () => {
        const { by, request, messages } = await begun();
        await deliverAll(messages.slice(0, 1));
        return { by, request, message: messages[1] as Message };
      };
      const clean = await half();
      const { writes } = await mayDie(undefined, () => close(clean.message));
      expect((await expectEnded(clean.request)).status).toBe('failed');
      for (const death of deathsOf(writes)) {
        const { by, request, message } = await half();
        expect((await mayDie(death, () => close(message))).outcome).toBe('killed');
        await close(message);
        const job = await expectEnded(request);
        expect(job.status).toBe('failed');
        const entries = await entriesOf(by, ROWS);
        expect(entries).toHaveLength(job.importedCount);
        await expectRecounted(by, entries);
        await expectTold(by, entries);
      }
    }
  }, 60_000);

  it('is closed as imported when nothing was left but to close it', async () => {
    const clean = await begun(ROWS.slice(0, 5));
    const { writes } = await mayDie(undefined, () => deliverAll(clean.messages));
    const { request, messages } = await begun(ROWS.slice(0, 5));
    await mayDie({ write: writes - 1, moment: 'before' }, () => deliverAll(messages));
    await deliver(closeImport, messages[0] as Message);
    expect(await expectEnded(request)).toMatchObject({ status: 'imported', importedCount: 5 });
  });
});

describe.each([
  ['a confirm', confirmRemoteSync, null],
  ['an import of rows from anywhere', importRows, 'old-tracker'],
])('%s that dies', (_, endpoint, origin) => {
  /** So long that they fill one message, and a little of another. */
  const LONG_ROWS = Array.from({ length: 120 }, (_, i) => {
    const { rate, ...rest } = row({ externalId: `${i}`, description: '\u{1f9ee}'.repeat(2_000), project: 'Website' });
    return { ...rest, rate: Number(rate) };
  });
  const rows = LONG_ROWS.map((each) => ({ ...each, rate: String(each.rate) }));

  async function givenConfirm() {
    const { by, mappings } = await givenMappings();
    await saveCredential({ organizationId: by.organization.id, userId: by.userId }, { accountId: ACCOUNT_ID });
    const body = { origin, rows: LONG_ROWS, projectMapping: Object.fromEntries(mappings.projects) };
    return { by, confirm: () => invoke(endpoint, by, { body }) };
  }

  /** The queue delivers at once what it gets, while the sender goes on. */
  function deliverAtOnce() {
    let deliveries = Promise.resolve();
    queue.onMessage = (message) => {
      deliveries = outside(async () => {
        await deliveries;
        await deliverAll([message]);
      });
    };
    return () => deliveries;
  }

  /** What is in the queue is delivered, then time passes, and then the rows are confirmed again. */
  async function expectRecovery(by: User, confirm: () => Promise<Json>): Promise<string> {
    await sweepImports({ time: new Date(Date.now() + 11 * 60_000).toISOString() }, FUNCTION_CONTEXT);
    const [job] = await jobsOf(by);
    if (job) await expectEnded({ organizationId: by.organization.id, jobId: job.id });
    expect(await entriesOf(by, rows, origin)).toHaveLength(job?.importedCount ?? 0);
    const again = await confirm();
    expect(again).toMatchObject({ status: 200, data: { importedCount: rows.length - (job?.importedCount ?? 0) } });
    const complete = await entriesOf(by, rows, origin);
    expect(complete).toHaveLength(rows.length);
    await expectRecounted(by, complete);
    await expectTold(by, complete);
    return job?.status ?? 'not begun';
  }

  it('has imported what it had sent, and everything once it is sent again', async () => {
    const delivered = deliverAtOnce();
    const clean = await givenConfirm();
    const { writes, outcome } = await mayDie(undefined, clean.confirm);
    expect(outcome).toMatchObject({ value: { status: 200, data: { importedCount: rows.length } } });
    expect(queue.messages.length).toBeGreaterThan(1);
    const endings: string[] = [];
    for (const death of deathsOf(writes)) {
      const { by, confirm } = await givenConfirm();
      await mayDie(death, confirm);
      await delivered();
      endings.push(await expectRecovery(by, confirm));
    }
    expect([...new Set(endings)].sort()).toEqual(['failed', 'imported', 'not begun']);
    expect(endings.filter((ending) => ending === 'imported').length).toBeGreaterThan(2);
  }, 120_000);

  it('is answered with the counts so far when its time is up, while the import goes on', async () => {
    const { by } = await givenConfirm();
    const body = { origin, rows: LONG_ROWS.slice(0, 40) };
    const { status, data } = await invoke(endpoint, by, { body, remainingMilliseconds: 4_000 });
    expect(status).toBe(202);
    expect(data).toMatchObject({ status: 'processing', importedCount: 0, skippedCount: 0 });
    await deliverAll(queue.messages);
    expect(await jobsOf(by)).toMatchObject([{ id: data.importJobId, status: 'imported', importedCount: 40 }]);
  });

  it('leaves a failed job when the queue does not take all rows, which the caller hears', async () => {
    const { by, confirm } = await givenConfirm();
    queue.capacity = 1;
    expect(await confirm()).toMatchObject({ status: 500 });
    queue.capacity = Number.POSITIVE_INFINITY;
    expect(await jobsOf(by)).toMatchObject([{ status: 'failed', importedCount: 0 }]);
    await deliverAll(queue.messages);
    deliverAtOnce();
    expect(await expectRecovery(by, confirm)).toBe('failed');
  });
});
