import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Interception } from '#scripts/local/aws-endpoint.ts';
import { findUnlinking } from '#shared/data/unlinking.ts';
import { bookEntries, ledgerSums, recount, storedEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { eventually } from '#test/support/fixture-app/cloud.ts';
import { given, type User } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';

const TRACKER = '/v1/work/tracker';
const DATES = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-20', '2027-01-01'];
const RANGE = { dateFrom: '2026-10-01', dateTo: '2027-12-31' };

/** What a dead function gets. A connection that breaks would be tried again for seconds, since nobody knows what came of it. */
const DENIAL = { status: 400, body: '{"__type":"AccessDeniedException"}' };

const own = useOwnCloud();

/** Each delivery that dies holds on for some seconds, since the SDK tries again; four in a row are more than a test waits by default. */
const PATIENCE_SECONDS = 60;

/** Waits for the worker to have removed the last link, and to have closed its record. */
async function unlinked(by: User, kind: 'project' | 'client', id: string): Promise<void> {
  const subject = { kind, organizationId: by.organization.id, id };
  await eventually(async () => ((await findUnlinking(subject)) ? undefined : true), PATIENCE_SECONDS);
}

const deleteProject = async (by: User, { id }: Json) =>
  expect((await by.delete(`${TRACKER}/projects/${id}`)).status).toBe(200);

const deleteClient = async (by: User, { id }: Json) => expect((await by.delete(`/clients/${id}`)).status).toBe(200);

const summary = async (by: User) => (await by.get(`${TRACKER}/entries/summary`, RANGE)).body.data;

/** The sums of a summary that do not depend on what entries are linked to. */
const sums = ({ totalMinutes, trackedMinutes, totalAmount, byCurrency }: Json) => ({
  totalMinutes,
  trackedMinutes,
  totalAmount,
  byCurrency,
});

describe('a list of entries', () => {
  it('has the same pages before, while and after links are removed', async () => {
    const bea = await given.user();
    const project = await given.project(bea);
    await bookEntries(bea, project, 1_200, DATES);
    const pageOf = async (query: Json) => {
      const { body } = await bea.get(`${TRACKER}/entries`, query);
      return { ids: body.data.map(({ id }: Json) => id), total: body.meta.total };
    };
    const queries = [
      { limit: 200 },
      { limit: 200, offset: 600 },
      { limit: 50, offset: 1_150 },
      { limit: 100, q: 'work 1' },
    ];
    const baseline = await Promise.all(queries.map(pageOf));
    await deleteProject(bea, project);
    const isUnlinking = () => findUnlinking({ kind: 'project', organizationId: bea.organization.id, id: project.id });
    let rounds = 0;
    do {
      for (const [position, query] of queries.entries()) expect(await pageOf(query)).toEqual(baseline[position]);
      rounds += 1;
    } while (await isUnlinking());
    expect(rounds).toBeGreaterThan(1);
  });
});

describe('a deleted project', () => {
  let ana: User;
  let project: Json;
  let other: Json;
  let ids: string[];

  beforeAll(async () => {
    ana = await given.user();
    [project, other] = [await given.project(ana), await given.project(ana)];
    ids = await bookEntries(ana, project, 1_800, DATES);
    await bookEntries(ana, other, 10, DATES);
  });

  it('is linked to by nobody from the first moment, and in the table by nothing in the end', async () => {
    const before = await storedEntries(ana, ids);
    const summaryBefore = await summary(ana);
    const otherBefore = (await ana.get(`${TRACKER}/projects/${other.id}`)).body.data;
    const worker = own.hold('unlink');
    await deleteProject(ana, project);
    await worker.reached;

    expect([...(await storedEntries(ana, ids)).values()].every(({ projectId }) => projectId === project.id)).toBe(true);
    await expectUnseen();
    expect((await ana.patch(`${TRACKER}/entries/${ids[0]}`, { description: 'Edited' })).body.data).toMatchObject({
      description: 'Edited',
      projectId: null,
    });
    expect((await ana.delete(`${TRACKER}/entries/${ids[1]}`)).status).toBe(200);
    const late = { description: 'Late', durationMinutes: 1, entryDate: '2026-11-20', projectId: project.id };
    expect((await ana.post(`${TRACKER}/entries`, late)).body.code).toBe('reference_not_found');
    worker.release();

    await unlinked(ana, 'project', project.id);
    await expectUnseen();
    const after = await storedEntries(ana, ids);
    expect(after.size).toBe(1_799);
    for (const id of ids.slice(2)) {
      expect(after.get(id)).toEqual({ ...before.get(id), projectId: null, version: 2 });
    }
    const deletedMinutes = before.get(ids[1] ?? '')?.durationMinutes ?? 0;
    expect((await summary(ana)).trackedMinutes).toBe(summaryBefore.trackedMinutes - deletedMinutes);
    expect((await ana.get(`${TRACKER}/projects/${other.id}`)).body.data).toEqual(otherBefore);
  });

  async function expectUnseen(): Promise<void> {
    const { body: list } = await ana.get(`${TRACKER}/entries`, { limit: 200, offset: 500 });
    const shown = [
      (await ana.get(`${TRACKER}/entries/${ids[0]}`)).body,
      list,
      await summary(ana),
      (await ana.get(`${TRACKER}/projects`)).body,
    ];
    expect(list.data).toHaveLength(200);
    expect(JSON.stringify(shown)).not.toContain(project.id);
    const { body: filtered } = await ana.get(`${TRACKER}/entries`, { projectId: project.id });
    expect(filtered).toMatchObject({ data: [], meta: { total: 0 } });
  }
});

describe('a deleted project of a client', () => {
  it('loses hundreds of entries of a day, in as many at once as a transaction takes', async () => {
    const bea = await given.user();
    const client = await given.client(bea);
    const project = await given.project(bea, { clientId: client.id });
    const ids = await bookEntries(bea, project, 300, ['2026-10-30']);
    await deleteProject(bea, project);
    await unlinked(bea, 'project', project.id);
    const entries = [...(await storedEntries(bea, ids)).values()];
    expect(entries.every(({ projectId, clientId }) => projectId === null && clientId === client.id)).toBe(true);
    expect(await ledgerSums(bea)).toEqual(recount(entries));
  });
});

describe('a deleted client', () => {
  it('leaves its name on its entries, nothing on its projects, and all sums as they were', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Acme' });
    const project = await given.project(ana, { clientId: client.id });
    const ids = await bookEntries(ana, project, 300, DATES);
    const before = await storedEntries(ana, ids);
    const summaryBefore = await summary(ana);
    const projectBefore = (await ana.get(`${TRACKER}/projects/${project.id}`)).body.data;
    await deleteClient(ana, client);
    await unlinked(ana, 'client', client.id);

    const after = await storedEntries(ana, ids);
    for (const id of ids) {
      expect(after.get(id)).toEqual({ ...before.get(id), clientId: null, clientLabel: 'Acme', version: 2 });
    }
    expect(await summary(ana)).toEqual(summaryBefore);
    expect((await ana.get(`${TRACKER}/projects/${project.id}`)).body.data).toEqual({
      ...projectBefore,
      clientId: null,
    });
    expect((await ana.get(`${TRACKER}/entries/${ids[0]}`)).body.data).toMatchObject({
      clientId: null,
      clientLabel: 'Acme',
      projectId: project.id,
    });
  });

  it.each([
    ['get-entry', (id: string) => `/entries/${id}`, ({ data }: Json) => data],
    ['list-entries', () => '/entries', ({ data }: Json) => data[0]],
  ])(
    'leaves its name to a %s that has read the entry before the link went, and asks for the name after',
    async (reader, at, shown) => {
      const ana = await given.user();
      const client = await given.client(ana, { name: 'Acme' });
      const { id } = await given.entry(ana, { clientId: client.id });
      const lookUp = own.hold(reader, 'BatchGetItem');
      const reading = ana.get(`${TRACKER}${at(id)}`);
      await lookUp.reached;
      await deleteClient(ana, client);
      await unlinked(ana, 'client', client.id);
      lookUp.release();
      expect(shown((await reading).body)).toMatchObject({ id, clientId: null, clientLabel: 'Acme' });
    },
  );

  it('does not come back to a project that is changed at the same moment', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    const project = await given.project(ana, { clientId: client.id });
    const patches = Array.from({ length: 20 }, (_, i) =>
      ana.patch(`${TRACKER}/projects/${project.id}`, { code: `${i}`, ...(i % 2 && { clientId: client.id }) }),
    );
    const [, ...replies] = await Promise.all([deleteClient(ana, client), ...patches]);
    for (const { status } of replies) expect([200, 400]).toContain(status);
    await unlinked(ana, 'client', client.id);
    expect((await ana.get(`${TRACKER}/projects/${project.id}`)).body.data.clientId).toBeNull();
  });

  it('is billed for no more time from the first moment, by new invoices and by drafts that it has', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    const [billed, late] = [
      await given.entry(ana, { clientId: client.id, rate: 10 }),
      await given.entry(ana, { clientId: client.id, rate: 10 }),
    ];
    const invoice = await given.invoice(ana, { clientId: client.id, lineItems: [{ entryIds: [billed.id] }] });
    const worker = own.hold('unlink');
    await deleteClient(ana, client);
    await worker.reached;
    const lineItems = [{ entryIds: [billed.id, late.id] }];
    for (const reply of [
      await ana.post('/invoices', { clientId: client.id, lineItems: [{ entryIds: [late.id] }] }),
      await ana.patch(`/invoices/${invoice.id}`, { lineItems }),
    ]) {
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'reference_not_found', errors: [{ path: 'clientId' }] },
      });
    }
    expect((await ana.patch(`/invoices/${invoice.id}`, { lineItems: invoice.lineItems })).status).toBe(200);
    worker.release();
    await unlinked(ana, 'client', client.id);
    const after = await ana.patch(`/invoices/${invoice.id}`, { lineItems });
    expect(after).toMatchObject({ status: 400, body: { code: 'entry_not_billable' } });
  });

  it('goes together with its project, in either order', async () => {
    for (const [first, second] of [
      [deleteProject, deleteClient],
      [deleteClient, deleteProject],
    ] as const) {
      const ana = await given.user();
      const client = await given.client(ana, { name: 'Acme' });
      const project = await given.project(ana, { clientId: client.id });
      const ids = await bookEntries(ana, project, 120, DATES);
      const worker = own.hold('unlink');
      await first(ana, first === deleteProject ? project : client);
      await second(ana, second === deleteProject ? project : client);
      worker.release();
      await unlinked(ana, 'project', project.id);
      await unlinked(ana, 'client', client.id);
      const after = [...(await storedEntries(ana, ids)).values()];
      expect(new Set(after.map(({ projectId, clientId }) => projectId ?? clientId))).toEqual(new Set([null]));
      expect(new Set(after.map(({ clientLabel }) => clientLabel))).toEqual(new Set(['Acme']));
    }
  });
});

describe('the worker', () => {
  /** What a delivery may live to do: so many calls; the next one breaks, before or after it is done, and no other gets through. */
  interface Life {
    readonly calls: number;
    readonly death: 'drop' | 'dropAnswer';
  }

  /** Ends the first deliveries of a message after their lives; later ones live on. @returns how many it ended */
  function kill(lives: readonly Life[]): { readonly deaths: () => number; readonly end: () => void } {
    const calls = new Map<string, number>();
    const dead = new Set<string>();
    const end = own.cloud.intercept((call): Interception => {
      if (!isOf(call, 'unlink') || !call.requestId) return undefined;
      const { requestId } = call;
      const delivery = [...calls.keys()].includes(requestId) ? [...calls.keys()].indexOf(requestId) : calls.size;
      const count = (calls.get(requestId) ?? 0) + 1;
      calls.set(requestId, count);
      const life = lives[delivery];
      if (!life || count <= life.calls) return undefined;
      const isFirst = !dead.has(requestId);
      dead.add(requestId);
      return isFirst ? life.death : DENIAL;
    });
    return { deaths: () => dead.size, end };
  }

  const life = fc.record({
    calls: fc.nat({ max: 25 }),
    death: fc.constantFrom('drop' as const, 'dropAnswer' as const),
  });

  it('is finished by the next, wherever it dies, with all sums exact', { timeout: 120_000 }, async () => {
    let deaths = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
        const ana = await given.user();
        const project = await given.project(ana);
        const other = await given.project(ana);
        const ids = [
          ...(await bookEntries(ana, project, 250, DATES)),
          ...(await bookEntries(ana, other, 20, DATES)),
          ...(await bookEntries(ana, null, 20, DATES)),
        ];
        const sumsBefore = sums(await summary(ana));
        const otherBefore = (await ana.get(`${TRACKER}/projects/${other.id}`)).body.data;
        const killing = kill(lives);
        await deleteProject(ana, project);
        await unlinked(ana, 'project', project.id);
        deaths += killing.deaths();
        killing.end();

        const entries = [...(await storedEntries(ana, ids)).values()];
        expect(entries).toHaveLength(ids.length);
        expect(entries.filter(({ projectId }) => projectId === project.id)).toEqual([]);
        expect(await ledgerSums(ana)).toEqual(recount(entries));
        expect(sums(await summary(ana))).toEqual(sumsBefore);
        expect((await ana.get(`${TRACKER}/projects/${other.id}`)).body.data).toEqual(otherBefore);
      }),
      { numRuns: 8 },
    );
    expect(deaths).toBeGreaterThan(0);
  });

  it('goes on with another message when its time is up', async () => {
    const { handler } = await import('#functions/workers/unlink.ts');
    const ana = await given.user();
    const project = await given.project(ana);
    const ids = await bookEntries(ana, project, 200, ['2026-11-20']);
    const worker = own.hold('unlink');
    await deleteProject(ana, project);
    await worker.reached;
    const questions: number[] = [];
    const getRemainingTimeInMillis = () => (questions.push(1) > 2 ? 0 : 60_000);
    const answer = await handler(eventOf(ana, project.id), { getRemainingTimeInMillis });
    expect(answer).toEqual({ batchItemFailures: [] });
    const linked = [...(await storedEntries(ana, ids)).values()].filter(({ projectId }) => projectId !== null);
    expect(linked.length).toBeGreaterThan(0);
    expect(linked.length).toBeLessThan(200);
    worker.release();
    await unlinked(ana, 'project', project.id);
    expect([...(await storedEntries(ana, ids)).values()].filter(({ projectId }) => projectId !== null)).toEqual([]);
  });

  it('does nothing to what is done, to what exists, or to what it never heard of', async () => {
    const ana = await given.user();
    const project = await given.project(ana);
    const ids = await bookEntries(ana, project, 3, ['2026-11-20']);
    const before = await storedEntries(ana, ids);
    for (const id of [project.id, randomUUID()]) {
      const { payload } = await own.cloud.invoke('unlink', eventOf(ana, id));
      expect(JSON.parse(payload)).toEqual({ batchItemFailures: [] });
    }
    expect(await storedEntries(ana, ids)).toEqual(before);
  });

  function eventOf(by: User, id: string) {
    const body = JSON.stringify({ kind: 'project', organizationId: by.organization.id, id });
    const attributes = { MessageGroupId: by.organization.id, ApproximateReceiveCount: '1' };
    return JSON.parse(
      JSON.stringify({ Records: [{ messageId: 'm', body, attributes, eventSourceARN: 'arn:aws:sqs:x:y:unlinks' }] }),
    );
  }
});
