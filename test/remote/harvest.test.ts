import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import { PROBLEMS } from '#shared/domain/problems.ts';
import type { UnusableReason } from '#shared/domain/remote/unusable-entry.ts';
import { HarvestProvider } from '#shared/remote/harvest.ts';
import type { JsonApiSettings } from '#shared/remote/json-api.ts';
import { asProblem } from '#shared/remote/problems.ts';
import { deadlineAfter, type FailureKind, RemoteFailure } from '#shared/remote/provider.ts';
import {
  type Fault,
  harvestEntryOf,
  type Provider,
  type ProviderAccount,
  type RemoteEntry,
  type Resource,
  startProvider,
} from '#test/support/provider.ts';

/**
 * The adapter against a provider on the loopback interface that behaves, or does not. Waiting takes no time here, but
 * is written down.
 */

const window = { from: '2026-11-01', to: '2026-11-30' };
const credential = { accountId: '4711', accessToken: 'very-secret-token' };
const RESOURCES: readonly Resource[] = ['users/me', 'time_entries'];

let server: Provider;
let pauses: number[] = [];

beforeAll(async () => {
  server = await startProvider();
});

afterAll(() => server.stop());

beforeEach(() => {
  pauses = [];
});

function account(changes: Partial<Omit<ProviderAccount, 'entries'>> & { entries?: readonly RemoteEntry[] } = {}): void {
  const { entries = [], ...others } = changes;
  server.register({
    ...credential,
    companyName: 'Initech',
    accessRoles: ['administrator'],
    paging: 'cursors',
    faults: {},
    entries: entries.map(harvestEntryOf),
    ...others,
  });
}

/** What is answered to those who ask for entries. */
function lists(...time_entries: readonly Fault[]): void {
  account({ faults: { time_entries } });
}

function adapter(settings: Partial<JsonApiSettings> = {}): HarvestProvider {
  const sleep = async (milliseconds: number) => void pauses.push(milliseconds);
  return new HarvestProvider(server.url, { sleep, random: () => 0.5, ...settings });
}

const inTwentySeconds = () => 20_000;

function identify(settings?: Partial<JsonApiSettings>) {
  return adapter(settings).identify(credential, inTwentySeconds);
}

function fetchRows(settings?: Partial<JsonApiSettings>) {
  return adapter(settings).fetchRows(credential, window, inTwentySeconds);
}

function ask(resource: Resource, settings?: Partial<JsonApiSettings>): Promise<unknown> {
  return resource === 'users/me' ? identify(settings) : fetchRows(settings);
}

async function failureOf(asked: Promise<unknown>): Promise<RemoteFailure> {
  const failure = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(RemoteFailure);
  const { message, stack } = failure as RemoteFailure;
  expect(`${message} ${stack}`).not.toContain(credential.accessToken);
  return failure as RemoteFailure;
}

async function rowsOf(...entries: RemoteEntry[]) {
  account({ entries });
  return (await fetchRows()).rows;
}

/** In what failure a call ends, and after how many requests. */
async function ending(run: () => Promise<unknown>) {
  const before = server.requestCount;
  const { kind, status } = await failureOf(run());
  return { kind, status, requests: server.requestCount - before };
}

/** How many requests a call makes. */
async function countRequests(run: () => Promise<unknown>): Promise<number> {
  const before = server.requestCount;
  await run();
  return server.requestCount - before;
}

describe('identify', () => {
  it('tells the name of the company, and whose entries the credential shows', async () => {
    account();
    expect(await identify()).toEqual({ name: 'Initech', visibility: 'all' });
    account({ accessRoles: ['manager'] });
    expect(await identify()).toEqual({ name: '4711', visibility: 'team' });
    for (const accessRoles of [['member' as const], []]) {
      account({ accessRoles });
      expect(await identify()).toEqual({ name: '4711', visibility: 'own' });
    }
  });

  it.each([[[]], [{}], [{ id: null }], [{ id: '' }], [[{ id: 1 }]], ['1'], ['null']])(
    'takes only an object with an id for a user: %j',
    async (body) => {
      account({ faults: { 'users/me': [{ body }] } });
      expect(await failureOf(identify())).toMatchObject({ kind: 'invalid_answer' });
    },
  );

  it('sends the credential in headers, and says who asks', async () => {
    account();
    await identify();
    const { path, headers } = server.requestsOf('4711').at(-2) ?? {};
    expect(path).toBe('/v2/users/me');
    expect(headers).toMatchObject({ authorization: 'Bearer very-secret-token', 'harvest-account-id': '4711' });
    expect(headers?.['user-agent']).toMatch(/^Billwright \(https:\/\/.+\)$/);
  });

  it.each<Fault>([
    { status: 401 },
    { status: 500 },
    { body: '{"name": ' },
    { body: { name: ' ' } },
    { body: { name: 'Company of very-secret-token' } },
    { body: { name: 'Initech', about: 'x'.repeat(70_000) } },
  ])('does without the name of the company: %o', async (fault) => {
    account({ faults: { company: [fault] } });
    expect(await identify()).toEqual({ name: '4711', visibility: 'all' });
  });

  it('cuts a name that is too long, and mends what is no text', async () => {
    account({ companyName: `${'🏢'.repeat(254)}\ud800x` });
    expect((await identify()).name).toBe(`${'🏢'.repeat(254)}\ufffd`);
  });

  it.each([401, 403, 404])('takes %i for a rejected credential, and asks once', async (status) => {
    account({ faults: { 'users/me': [{ status, body: { error: 'invalid_token' } }] } });
    expect(await ending(identify)).toMatchObject({ kind: 'credential_rejected', status, requests: 1 });
  });

  it.each(['with\nnewline', 'zażółć', 'emoji 🙂', 'two words', '\u0000', ''])(
    'rejects the credential %j without sending it',
    async (text) => {
      const requests = await countRequests(async () => {
        for (const wrong of [
          { ...credential, accessToken: text },
          { ...credential, accountId: text },
        ]) {
          const failure = await failureOf(adapter().identify(wrong, inTwentySeconds));
          expect(failure.kind).toBe('credential_rejected');
          if (text.length > 1) expect(failure.message).not.toContain(text);
        }
      });
      expect(requests).toBe(0);
    },
  );
});

describe('a row', () => {
  it('is the entry in our terms', async () => {
    const entry = { id: 636708723, date: '2026-11-20', hours: 1.5, notes: 'Kick-off', rate: 95.5, currency: 'eur' };
    expect(await rowsOf(entry)).toEqual([
      {
        date: '2026-11-20',
        durationMinutes: 90,
        description: 'Kick-off',
        project: 'Website',
        client: 'Globex',
        user: 'Ada Byron',
        externalId: '636708723',
        billable: true,
        rate: '95.5',
        currency: 'EUR',
        tags: ['Design'],
      },
    ]);
  });

  it.each([
    [0.01, 1],
    [0.025, 2],
    [0.33, 20],
    [4.225, 254],
    [1.3333333333333333, 80],
    [8_760, 525_600],
  ])('has %d hours as %i minutes', async (hours, durationMinutes) => {
    expect(await rowsOf({ hours })).toMatchObject([{ durationMinutes }]);
  });

  it('is missing for running timers and for less than half a minute, which are counted', async () => {
    account({
      entries: [{ hours: 2 }, { hours: 3, isRunning: true }, { hours: 0 }, { hours: 1e-7 }, { hours: 0.008 }],
    });
    const { rows, skippedEntries, totalEntries } = await fetchRows();
    expect(rows).toMatchObject([{ durationMinutes: 120 }]);
    expect({ skippedEntries, totalEntries }).toEqual({ skippedEntries: 4, totalEntries: 5 });
  });

  it.each<[RemoteEntry, string]>([
    [{ notes: null }, 'Design'],
    [{ notes: ' \n' }, 'Design'],
    [{ notes: '', task: '' }, 'Website'],
    [{ notes: '🧮'.repeat(2_001) }, '🧮'.repeat(2_000)],
    [{ notes: 'half \ud83e of it' }, 'half \ufffd of it'],
    [{ notes: '\u202eאבג\u0000\t\r\n\u200e\u200bx\u0085\u2069' }, 'אבג\t\r\n\u200e\u200bx'],
    [{ notes: '\u0000\u202e ' }, 'Design'],
    [{ notes: `\u0007${'x'.repeat(2_000)}` }, 'x'.repeat(2_000)],
  ])('takes its description from the notes, the task or the project: %j', async (entry, description) => {
    expect(await rowsOf(entry)).toMatchObject([{ description }]);
  });

  it.each<[string, string | null]>([
    ['', null],
    ['\udfffx', '\ufffdx'],
    ['\u2066Ac\u0000me\u2069', 'Acme'],
    ['\u202e\u0000', null],
    ['👩‍👩‍👧‍👦'.repeat(60), [...'👩‍👩‍👧‍👦'.repeat(60)].slice(0, 255).join('')],
  ])('takes any name: %j', async (name, expected) => {
    const [row] = await rowsOf({ client: name, project: name, user: name, notes: 'Work' });
    expect(row).toMatchObject({ client: expected, project: expected, user: expected });
  });

  it.each<[number | null, string | null]>([
    [null, null],
    [0, '0'],
    [33.333333333333336, '33.333333'],
    [1e-7, '0'],
    [6e-7, '0.000001'],
    [999_999_999_999, '999999999999'],
  ])('has the rate %d as %s', async (rate, expected) => {
    expect(await rowsOf({ rate })).toMatchObject([{ rate: expected }]);
  });

  it('has no currency where the provider names none', async () => {
    expect(await rowsOf({ currency: '' }, { currency: ' ' })).toMatchObject([{ currency: null }, { currency: null }]);
  });

  it('needs no more than an id, a date and hours', async () => {
    const body = {
      time_entries: [{ id: 1, spent_date: '2026-11-20', hours: 1, client: null, surprise: { deep: [] } }],
    };
    lists({ body });
    const names = { project: null, client: null, user: null, tags: [] };
    const terms = { billable: true, rate: null, currency: null };
    expect((await fetchRows()).rows).toMatchObject([{ externalId: '1', ...names, ...terms }]);
  });
});

describe('an entry that cannot be imported', () => {
  const fetchedWith = (...time_entries: readonly unknown[]) => {
    lists({ body: { time_entries } });
    return fetchRows();
  };

  it.each<[object, UnusableReason]>([
    [{ hours: -0.5 }, 'negative_duration'],
    [{ hours: -0.001, spent_date: 'never', client: { name: 'Globex', currency: 'GBX' } }, 'negative_duration'],
    [{ client: { name: 'Globex', currency: 'GBX' } }, 'unknown_currency'],
    [{ client: { name: 'Globex', currency: '\u0131nr' } }, 'unknown_currency'],
    [{ client: { name: 'Globex', currency: 7 } }, 'invalid'],
    [{ hours: 8_760.01 }, 'invalid'],
    [{ hours: '8' }, 'invalid'],
    [{ spent_date: '2026-02-29' }, 'invalid'],
    [{ spent_date: '0001-01-01' }, 'invalid'],
    [{ id: 2 ** 53 }, 'invalid'],
    [{ id: 'x-1' }, 'invalid'],
    [{ id: '' }, 'invalid'],
    [{ billable_rate: -1 }, 'invalid'],
    [{ billable_rate: 1e12 }, 'invalid'],
    [{ billable: 'yes' }, 'invalid'],
    [{ notes: 7 }, 'invalid'],
    [{ client: 'Globex' }, 'invalid'],
    [{ project: { name: null } }, 'invalid'],
  ])('stops no other, and is named with the reason: %o is %s', async (wrong, reason) => {
    const entry = { ...harvestEntryOf(), ...wrong };
    const { id, spent_date: date, hours }: Record<string, unknown> = entry;
    const fetched = await fetchedWith(harvestEntryOf({ id: 1 }), entry, harvestEntryOf({ id: 2 }));
    expect(fetched.rows.map(({ externalId }) => externalId)).toEqual(['1', '2']);
    expect(fetched.unusableEntries).toEqual([
      { externalId: String(id) || null, date, hours: typeof hours === 'number' ? hours : null, reason },
    ]);
    expect(fetched).toMatchObject({ skippedEntries: 1, totalEntries: 3 });
    expect(fetched.skippedIds).toEqual(fetched.unusableEntries.flatMap(({ externalId }) => externalId ?? []));
  });

  it('may have nothing to be named by, and is counted each time', async () => {
    const { rows, unusableEntries, totalEntries } = await fetchedWith(null, 7, [], {}, { id: {}, spent_date: 1 });
    const nameless = { externalId: null, date: null, hours: null, reason: 'invalid' };
    expect({ rows, unusableEntries, totalEntries }).toEqual({
      rows: [],
      unusableEntries: Array(5).fill(nameless),
      totalEntries: 5,
    });
  });

  it('is named by clean texts of a bounded length', async () => {
    const { unusableEntries } = await fetchedWith({ id: 'y'.repeat(300), spent_date: `\u202e${'x'.repeat(300)}` });
    expect(unusableEntries).toMatchObject([{ externalId: 'y'.repeat(255), date: 'x'.repeat(255) }]);
  });

  it('is judged as it was last seen', async () => {
    const entry = harvestEntryOf({ id: 1 });
    const { rows, unusableEntries } = await fetchedWith({ ...entry, hours: -1 }, entry);
    expect([rows.length, unusableEntries.length]).toEqual([1, 0]);
  });
});

describe('the list around the entries', () => {
  it.each([
    { time_entries: 7 },
    { entries: [] },
    { time_entries: [], total_entries: 'many' },
    { time_entries: [], total_entries: 0.5 },
    { time_entries: [], next_page: 'next' },
    { time_entries: [], links: { next: 7 } },
  ])('must be right, and nothing of it is quoted: %o', async (body) => {
    lists({ body: { ...body, notes: 'Confidential' } });
    const failure = await failureOf(fetchRows());
    expect(failure.kind).toBe('invalid_answer');
    expect(failure.message).not.toContain('Confidential');
    expect(pauses).toEqual([]);
  });
});

describe('paging', () => {
  const entries = Array.from({ length: 4_500 }, (_, i) => ({ id: i + 1, hours: 1 + (i % 4) }));

  it.each(['cursors', 'pages'] as const)(
    'reads all pages by %s, only those of the window, each entry once',
    async (paging) => {
      account({ paging, entries: [...entries, { date: '2026-12-01' }, { date: '2026-10-31' }] });
      const before = server.requestsOf('4711').length;
      const { rows, totalEntries } = await fetchRows();
      expect(totalEntries).toBe(4_500);
      expect(new Set(rows.map(({ externalId }) => externalId)).size).toBe(4_500);
      const paths = server
        .requestsOf('4711')
        .slice(before)
        .map(({ path }) => path);
      expect(paths).toHaveLength(3);
      expect(paths[0]).toBe('/v2/time_entries?from=2026-11-01&to=2026-11-30&per_page=2000');
      for (const path of paths) expect(path).toContain('from=2026-11-01&to=2026-11-30');
    },
  );

  it('takes no page more of a list that says that it has more than 10,000 entries', async () => {
    account({ entries: Array.from({ length: 10_001 }, (_, i) => ({ id: i + 1 })) });
    expect(await ending(fetchRows)).toMatchObject({ kind: 'too_many_entries', requests: 1 });
  });

  it('counts the entries itself where the provider does not', async () => {
    const page = (first: number) => Array.from({ length: 5_001 }, (_, i) => harvestEntryOf({ id: first + i }));
    lists(
      { times: 1, body: { time_entries: page(1), next_page: 2 } },
      { body: { time_entries: page(6_000), next_page: 3 } },
    );
    expect((await failureOf(fetchRows())).kind).toBe('too_many_entries');
  });

  it('takes 64 MiB in all, and no more, however small the pages are and however few the entries', async () => {
    const pages = Array.from({ length: 20 }, (_, i) => ({
      times: 1,
      bytes: 8_000_000,
      body: JSON.stringify({ time_entries: [], next_page: i + 2 }),
    }));
    lists(...pages);
    expect(await ending(fetchRows)).toMatchObject({ kind: 'too_many_entries', requests: 9 });
  });

  it('takes no more than come in time, which fewer may do', async () => {
    const first = { times: 1, body: { time_entries: [], next_page: 2 } };
    lists(first, { delayMilliseconds: 60_000 });
    const left = [20_000, 300];
    const fetched = adapter().fetchRows(credential, window, () => left.shift() ?? 0);
    expect((await failureOf(fetched)).kind).toBe('too_many_entries');
  });

  it('shows an entry once, as it was last seen, that moved to the next page meanwhile', async () => {
    const [one, two, three] = [harvestEntryOf(), harvestEntryOf(), harvestEntryOf()];
    lists(
      { times: 1, body: { time_entries: [one, two], next_page: 2 } },
      { body: { time_entries: [{ ...two, notes: 'Moved' }, three] } },
    );
    expect(await fetchRows()).toMatchObject({ totalEntries: 3, rows: [{}, { description: 'Moved' }, {}] });
  });

  describe('of a list that changes meanwhile', () => {
    const list = Array.from({ length: 5 }, (_, i) => harvestEntryOf({ id: 5 - i }));
    const shifted = list.slice(1);
    /** Two of the entries, of those that there are at the moment. */
    const pageOf = (of: readonly object[], number: number, total: number | null = of.length) => ({
      times: 1,
      body: {
        time_entries: of.slice(2 * number - 2, 2 * number),
        total_entries: total,
        next_page: 2 * number < of.length ? number + 1 : null,
      },
    });
    const changing = [pageOf(list, 1), pageOf(shifted, 2)];

    it('begins anew, so that no entry is lost between two pages', async () => {
      lists(...changing, pageOf(shifted, 1), pageOf(shifted, 2));
      const { rows, totalEntries } = await fetchRows();
      expect(rows.map(({ externalId }) => externalId)).toEqual(['4', '3', '2', '1']);
      expect(totalEntries).toBe(4);
    });

    it('sees the change on any page, also where others do not count the entries', async () => {
      const late = [pageOf(list, 1, null), pageOf(list, 2), pageOf([...list, harvestEntryOf()], 3)];
      const steady = [1, 2, 3].map((number) => pageOf(list, number, number === 2 ? 5 : null));
      lists(...late, ...steady);
      const requests = await countRequests(async () => expect((await fetchRows()).rows).toHaveLength(5));
      expect(requests).toBe(6);
    });

    it('sees an entry that is on two pages in place of another, though there are as many as before', async () => {
      const moved = [...list.slice(1), ...list.slice(0, 1)];
      const pages = (of: readonly object[]) => [pageOf(of, 1), pageOf(of, 2), pageOf(of, 3)];
      lists(...pages(list).slice(0, 1), ...pages(moved).slice(1), ...pages(moved));
      const { rows } = await fetchRows();
      expect(rows.map(({ externalId }) => externalId)).toEqual(['4', '3', '2', '1', '5']);
      const twice = [...list.slice(0, 4), ...list.slice(0, 1)];
      account({ faults: { time_entries: [1, 2, 3, 4].flatMap(() => pages(twice)) } });
      const requests = await countRequests(async () => expect((await fetchRows()).totalEntries).toBe(4));
      expect(requests).toBe(12);
    });

    it('reads it four times at most, and has then failed', async () => {
      const thrice = [changing, changing, changing].flat();
      lists(...thrice, pageOf(list, 1), pageOf(list, 2), pageOf(list, 3));
      expect((await fetchRows()).totalEntries).toBe(5);
      lists(...thrice, ...changing);
      expect(await ending(fetchRows)).toMatchObject({ kind: 'list_changes', requests: 8 });
    });
  });

  it.each([
    ['leads to another scheme', () => server.url.replace('http', 'https')],
    ['leads to another host without naming a scheme', () => '//localhost/v2/time_entries'],
    ['carries a credential', () => server.url.replace('://', '://ana:secret@')],
    ['is no link', () => 'http://['],
  ])('ends in a failure at a link that %s', async (_what, link) => {
    lists({ body: { time_entries: [], links: { next: link() } } });
    expect(await ending(fetchRows)).toMatchObject({ kind: 'invalid_answer', requests: 1 });
  });

  it('never asks another server for the rest of a list, nor follows a redirect there', async () => {
    const other = await startProvider();
    for (const fault of [
      { body: { time_entries: [], links: { next: `${other.url}/v2/time_entries` } } },
      { status: 302, headers: { location: `${other.url}/v2/time_entries` } },
      { status: 307, headers: { location: '/v2/time_entries?again' } },
    ]) {
      lists(fault);
      expect((await failureOf(fetchRows())).kind).toBe('invalid_answer');
    }
    expect(other.requestCount).toBe(0);
    await other.stop();
  });

  it('follows a link that is relative to the provider', async () => {
    account({
      entries: [{}],
      faults: { time_entries: [{ times: 1, body: { time_entries: [], links: { next: '/v2/time_entries?x=1' } } }] },
    });
    expect((await fetchRows()).totalEntries).toBe(1);
  });

  it('ends in a failure where a list comes back to where it was, or never ends', async () => {
    lists({ body: { time_entries: [], next_page: 2 } });
    expect(await ending(fetchRows)).toMatchObject({ kind: 'invalid_answer', requests: 2 });
    const pages = Array.from({ length: 600 }, (_, i) => ({ times: 1, body: { time_entries: [], next_page: i + 2 } }));
    lists(...pages);
    expect(await ending(fetchRows)).toMatchObject({ kind: 'invalid_answer', requests: 500 });
  });
});

describe('a provider that fails', () => {
  it.each(RESOURCES.flatMap((resource) => [500, 502, 503, 504].map((status) => [resource, status] as const)))(
    'at %s with %i is asked again after growing pauses, and then given up',
    async (resource, status) => {
      account({ faults: { [resource]: [{ status, body: '<html>' }] } });
      expect(await ending(() => ask(resource))).toMatchObject({ kind: 'unavailable', status, requests: 4 });
      expect(pauses).toEqual([125, 250, 500]);
    },
  );

  it.each<[string, Fault]>([
    ['a 500', { status: 500 }],
    ['a 429', { status: 429 }],
    ['a connection that breaks at once', { breaks: 'before' }],
    ['a connection that breaks in the middle of the answer', { breaks: 'midway' }],
    ['silence', { delayMilliseconds: 60_000 }],
  ])('is forgiven %s when it then answers', async (_what, fault) => {
    account({ entries: [{}], faults: { time_entries: [{ ...fault, times: 2 }] } });
    expect((await fetchRows({ attemptTimeoutMilliseconds: 200 })).totalEntries).toBe(1);
    expect(pauses).toEqual([125, 250]);
  });

  it.each<[string, Fault, FailureKind, number]>([
    ['404', { status: 404 }, 'invalid_answer', 1],
    ['204', { status: 204 }, 'invalid_answer', 1],
    ['a body that is no JSON', { body: '{"time_entries": [' }, 'invalid_answer', 1],
    ['an empty body', { body: '' }, 'invalid_answer', 1],
    ['a broken connection', { breaks: 'before' }, 'unavailable', 4],
    ['half an answer', { breaks: 'midway' }, 'unavailable', 4],
  ])('is a failure, and never an empty list: %s', async (_what, fault, kind, attempts) => {
    lists(fault);
    expect(await ending(fetchRows)).toMatchObject({ kind, requests: attempts });
  });

  it.each([false, true])('cannot fill the memory, packed: %s', async (isGzipped) => {
    lists({ bytes: 3_000_000, body: '{"time_entries": []', isGzipped });
    const failure = await failureOf(fetchRows({ maximumAnswerBytes: 1_000_000 }));
    expect(failure).toMatchObject({ kind: 'invalid_answer', message: expect.stringContaining('1000000 bytes') });
  });

  it.each([
    ['a million brackets', '['.repeat(1_000_000)],
    ['a million values', `{"time_entries":[${'0,'.repeat(1_000_000)}0]}`],
  ])('is not parsed where it has %s', async (_what, body) => {
    lists({ body });
    const failure = await failureOf(fetchRows());
    expect(failure).toMatchObject({ kind: 'invalid_answer', message: expect.stringContaining('too many values') });
  });

  it('may have 64 KiB to say who a user is, and no more', async () => {
    account({ faults: { 'users/me': [{ body: JSON.stringify({ id: 1, about: 'x'.repeat(70_000) }) }] } });
    const failure = await failureOf(adapter().identify(credential, deadlineAfter(10_000)));
    expect(failure).toMatchObject({ kind: 'invalid_answer', message: expect.stringContaining('65536 bytes') });
  });

  it('cannot keep us waiting: the deadline holds for all attempts together', async () => {
    lists({ delayMilliseconds: 60_000 });
    const left = [20_000, 700, 400];
    const failure = failureOf(
      adapter({ attemptTimeoutMilliseconds: 100 }).fetchRows(credential, window, () => left.shift() ?? 0),
    );
    expect((await failure).kind).toBe('timed_out');
    expect(pauses).toEqual([125]);
  });

  it('is not asked any more where no time is left', async () => {
    account();
    expect(await ending(() => adapter().identify(credential, () => 0))).toMatchObject({
      kind: 'timed_out',
      requests: 0,
    });
  });

  it('repeats the token to nobody but itself', async () => {
    const echo = { headers: { 'x-echo': credential.accessToken, 'retry-after': credential.accessToken } };
    for (const status of [400, 401, 403, 404, 422, 429, 500, 503]) {
      account({ faults: { 'users/me': [{ ...echo, status, body: credential.accessToken }] } });
      const failure = await failureOf(identify());
      const problem = asProblem(failure, 'invalid_remote_credential');
      expect(JSON.stringify([problem, problem.message, problem.details, failure])).not.toContain(
        credential.accessToken,
      );
    }
  });
});

it('takes no answer that repeats the token, wherever it does, encoded or escaped', async () => {
  const { accessToken } = credential;
  const encoded = Buffer.from(`4711:${accessToken}`).toString('base64');
  for (const place of ['notes', 'project', 'client', 'task', 'user'] as const) {
    account({ entries: [{}, { [place]: `Work of ${encoded}!` }] });
    const failure = await failureOf(fetchRows());
    expect(failure).toMatchObject({ message: "The provider's time_entries repeats the secret." });
    expect(failure.kind).toBe('invalid_answer');
  }
  account({ faults: { 'users/me': [{ body: { id: 1, access_roles: [], first_name: accessToken } }] } });
  expect((await failureOf(identify())).kind).toBe('invalid_answer');
});

it('names in a failure what was asked for, and nothing of a link that the provider has chosen', async () => {
  const first = { times: 1, body: { time_entries: [], links: { next: '/v2/time_entries?chosen' } } };
  for (const fault of [{ status: 500 }, { body: '<html>' }, { body: {} }, { breaks: 'before' as const }]) {
    lists(first, fault);
    const { message } = await failureOf(fetchRows());
    expect(message).toMatch(/^The provider's time_entries [^/?]+$/);
  }
  const elsewhere = { times: 1, body: { time_entries: [], links: { next: '/v2/chosen/path' } } };
  lists(elsewhere);
  expect((await failureOf(fetchRows())).message).toBe("The provider's time_entries answered 404.");
});

describe('a provider that is asked too often', () => {
  it('is given as much time as it asks for, in seconds or as a date', async () => {
    lists({ times: 1, status: 429, headers: { 'retry-after': '7' } });
    await fetchRows();
    expect(pauses).toEqual([7_125]);

    const date = new Date(Date.now() + 10_000).toUTCString();
    lists({ times: 1, status: 503, headers: { 'retry-after': date } });
    await fetchRows();
    expect(pauses[1]).toBeGreaterThan(8_000);
    expect(pauses[1]).toBeLessThanOrEqual(10_125);
  });

  it.each([
    ['60', 60],
    ['99999999999999999999', 3_600],
  ])('is left alone at once where it asks for more time than there is: %s s', async (header, retryAfterSeconds) => {
    lists({ status: 429, headers: { 'retry-after': header } });
    const failure = await failureOf(fetchRows());
    expect(failure).toMatchObject({ kind: 'throttled', retryAfterSeconds });
    expect(pauses).toEqual([]);
    expect(asProblem(failure).details.headers).toEqual({ 'Retry-After': String(retryAfterSeconds) });
  });

  it.each([
    [undefined, 15],
    ['soon', 15],
    ['-5', 15],
    ['1.5', 15],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])(
    'is asked again a few times where it says %s, and the caller then waits %i s',
    async (header, retryAfterSeconds) => {
      lists({ status: 429, headers: header ? { 'retry-after': header } : {} });
      const failure = await failureOf(fetchRows());
      expect(failure.kind).toBe('throttled');
      expect(pauses).toEqual([125, 250, 500]);
      expect(asProblem(failure).details.headers).toEqual({ 'Retry-After': String(retryAfterSeconds) });
    },
  );
});

describe('what a caller hears', () => {
  it.each<[FailureKind, number, string]>([
    ['credential_rejected', 502, 'remote_credential_rejected'],
    ['unavailable', 502, 'remote_unavailable'],
    ['invalid_answer', 502, 'remote_unavailable'],
    ['list_changes', 503, 'remote_unavailable'],
    ['throttled', 503, 'remote_throttled'],
    ['timed_out', 504, 'remote_timed_out'],
    ['too_many_entries', 400, 'too_many_remote_entries'],
  ])('of %s is a %i with %s', (kind, status, code) => {
    const problem = asProblem(new RemoteFailure(kind, 'Reason'));
    expect(problem.code).toBe(code);
    expect(STATUS_OF_KIND[problem.details.kind ?? PROBLEMS[problem.code].kind]).toBe(status);
  });
});
