import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfidentMappings } from '#shared/data/remote/confident-mappings.ts';
import { readRemembered, rememberIfPossible } from '#shared/data/remote/mappings.ts';
import { costOf } from '#test/support/capacity.ts';
import { row } from '#test/support/imports.ts';

const NO_RULES = { lockedThrough: null, rounding: null };

const NAMES = { clients: ['Acme'], projects: ['Acme'], users: ['Acme'] };

const ROWS = [row({ client: 'Acme', project: 'Acme', user: 'Acme' })];

const mapping = (of: readonly [client: string | null, project: string | null, user: string | null]) => {
  const [clients, projects, users] = of.map((id) => new Map([['Acme', id]]));
  return { clients: clients ?? new Map(), projects: projects ?? new Map(), users: users ?? new Map() };
};

const NOTHING = { clients: new Map(), projects: new Map(), users: new Map() };

it('what a name stands for is remembered for an account by its kind, is written once, and may be nothing', async () => {
  const organizationId = randomUUID();
  const remember = (account: string, ...of: Parameters<typeof mapping>[0]) =>
    costOf(() => rememberIfPossible(organizationId, account, ROWS, mapping(of)));
  const remembered = (account: string) => readRemembered(organizationId, account, NAMES);
  expect((await remember('a', 'client', 'project', null)).writeUnits).toBe(6);
  await remember('b', null, 'other', 'user');
  expect(await remembered('a')).toEqual(mapping(['client', 'project', null]));
  expect(await remembered('b')).toEqual(mapping([null, 'other', 'user']));
  expect((await remember('a', 'client', 'project', null)).writeUnits).toBe(0);
  expect((await remember('a', 'client', 'new', null)).writeUnits).toBe(2);
  expect(await remembered('a')).toEqual(mapping(['client', 'new', null]));
  expect((await costOf(() => rememberIfPossible(organizationId, 'a', ROWS, NOTHING))).calls).toBe(0);
});

it.each([
  [100, 'one transaction', 1 + 1],
  [101, 'two, since one takes a hundred', 2 + 2],
])('%i names are remembered at once, by %s', async (count, _, calls) => {
  const organizationId = randomUUID();
  const names = Array.from({ length: count }, (_name, i) => `Client ${i}`);
  const clients = new Map(names.map((name) => [name, 'client']));
  const rows = names.map((client) => row({ client }));
  const cost = await costOf(() => rememberIfPossible(organizationId, 'a', rows, { ...NOTHING, clients }));
  // Beside what was remembered before, which is read by a hundred names.
  expect(cost.calls).toBe(calls);
  const remembered = await readRemembered(organizationId, 'a', { clients: names, projects: [], users: [] });
  expect(remembered.clients.size).toBe(count);
});

it('what a request names itself goes before what was confirmed, kind by kind', async () => {
  const organizationId = randomUUID();
  const terms = { isActive: true, clientId: null, defaultRate: null, currency: 'USD', billable: true };
  const targets = new Map(['client', 'project', 'user', 'confirmed'].map((id) => [id, { id, name: id, ...terms }]));
  const directory = Promise.resolve({ ...NO_RULES, clients: targets, users: targets, projects: targets });
  await rememberIfPossible(organizationId, 'a', ROWS, mapping(['confirmed', 'confirmed', 'confirmed']));
  const mappingsWith = async (given: Parameters<typeof readConfidentMappings>[4]) => {
    const found = await readConfidentMappings(organizationId, 'a', ROWS, directory, given);
    return [found.clientMapping, found.projectMapping, found.userMapping].map((each) => each.get('Acme'));
  };
  expect(await mappingsWith(mapping(['client', 'project', 'user']))).toEqual(['client', 'project', 'user']);
  const projects = new Map([['Acme', 'project']]);
  expect(await mappingsWith({ ...NOTHING, projects })).toEqual(['confirmed', 'project', 'confirmed']);
});
