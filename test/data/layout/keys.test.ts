import { expect, it } from 'vitest';
import { dayOrder, linkKey, personPartition, remoteNameKey } from '#shared/data/layout/keys.ts';

it.each([
  ['the issuer and the subject of a person', personPartition],
  ['an account and a name in it', (account: string, name: string) => remoteNameKey('acme', account, 'CLIENT', name).sk],
])('%s may have any characters, and are kept apart', (_, keyOf) => {
  const keys = [keyOf('a', 'b c'), keyOf('a b', 'c'), keyOf('b', 'b c'), keyOf('ab', ' c'), keyOf('a","b', 'c')];
  expect(new Set(keys).size).toBe(keys.length);
});

it('each person that is one user has a link, whose key says who by the digest alone', () => {
  const persons = ['ana', 'eve'].map((subject) => personPartition('issuer', subject));
  const links = persons.map((person) => linkKey('acme', 'user', person).sk);
  expect(links).toEqual(persons.map((person) => person.replace('PERSON#', 'user#')));
  expect(new Set(links).size).toBe(2);
});

it('entries of a day go by their start, then by their creation, and by their id last', () => {
  const [early, late] = ['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z'];
  const orders = [
    { startedAt: null, createdAt: early, id: 'c' },
    { startedAt: null, createdAt: late, id: 'a' },
    { startedAt: null, createdAt: late, id: 'b' },
    { startedAt: early, createdAt: late, id: 'a' },
    { startedAt: late, createdAt: early, id: 'a' },
  ].map(dayOrder);
  expect(orders.toSorted()).toEqual(orders);
  expect(new Set(orders).size).toBe(orders.length);
});
