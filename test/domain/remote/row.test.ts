import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { accountOf, describedRow, identifyRows, type RemoteRow } from '#shared/domain/remote/row.ts';
import { remoteRow } from '#test/support/remote-rows.ts';

const origin = { organizationId: 'organization', accountId: 'account' };

const row = remoteRow({ project: 'Website', client: 'Globex', user: 'Ada', externalId: '1', rate: '80' });

/** One for each member that says what the work is. */
const OTHERS: Omit<RemoteRow, 'externalId'> = {
  date: '2026-11-03',
  durationMinutes: 31,
  description: 'Other work',
  project: 'Shop',
  client: 'Acme',
  user: 'Grace',
  billable: false,
  rate: '90',
  currency: 'EUR',
  tags: ['Design'],
};

const identified = (changed: Partial<RemoteRow> = {}) => identifyRows([describedRow({ ...row, ...changed })], origin);

it('has a UUID of the version for ids that are made of something', () => {
  for (let externalId = 0; externalId < 50; externalId++) {
    const [{ entryId } = { entryId: '' }] = identified({ externalId: `${externalId}` });
    expect([validate(entryId), version(entryId)]).toEqual([true, 8]);
  }
});

it('is known by what it was stored under: by anything else, all work would be imported anew', () => {
  const [{ entryId, content } = {}] = identified();
  expect([entryId, content]).toEqual(['bcf98e9f-f3d9-8297-98bb-21e61509831c', 'sYJTrzCTqW-ffz9lQsxLoR']);
  expect(identified({ externalId: null })).toMatchObject([{ entryId: '8390ce22-75b4-89c7-805a-95ff1d69426a' }]);
  expect(accountOf('Toggl')).toBe('import Toggl');
  expect(identifyRows([row], { ...origin, origin: 'Toggl' })).toMatchObject([
    { entryId: '4abbbb02-858b-8812-9c16-24759a99e21e' },
  ]);
  expect(identified({ externalId: '1259' })).toMatchObject([{ entryId: 'e8ce447d-1c29-8f63-bf97-3114896db11f' }]);
});

it('has no empty names, and is described by its project or a fixed text where it says nothing', () => {
  const unnamed = { project: null, client: null, user: null, externalId: null };
  const empty = { ...row, project: '', client: '', user: '', externalId: '' };
  expect(describedRow(row)).toEqual(row);
  expect(describedRow({ ...row, description: ' ' })).toEqual({ ...row, description: 'Website' });
  expect(describedRow({ ...empty, description: '' })).toEqual({ ...row, ...unnamed, description: 'Imported time' });
});

describe('a row with an external id', () => {
  it.each(Object.entries(OTHERS))('is the same, but changed, with another %s', (member, value) => {
    const [before] = identified();
    const [after] = identified({ [member]: value });
    expect(after?.entryId).toBe(before?.entryId);
    expect(after?.content).not.toBe(before?.content);
  });
});

describe('a row without an external id', () => {
  it.each(Object.entries(OTHERS))('is another with another %s', (member, value) => {
    const [before] = identified({ externalId: null });
    const [after] = identified({ externalId: null, [member]: value });
    expect(after?.entryId).not.toBe(before?.entryId);
  });

  it('is kept as often as it occurs, and known again each time', () => {
    const idsOf = (count: number) =>
      identifyRows(Array(count).fill({ ...row, externalId: null }), origin).map(({ entryId }) => entryId);
    expect(new Set(idsOf(3)).size).toBe(3);
    expect(idsOf(3).slice(0, 2)).toEqual(idsOf(2));
  });
});

it('is another of another organization or account', () => {
  const ids = [origin, { ...origin, organizationId: 'other' }, { ...origin, accountId: 'other' }].map(
    (each) => identifyRows([row], each)[0]?.entryId,
  );
  expect(new Set(ids).size).toBe(3);
});

it('is another of another origin, whatever accounts the provider has', () => {
  const accountId = accountOf('one');
  const origins = [
    { ...origin, accountId },
    { ...origin, accountId: 'one' },
    ...['one', 'two'].map((each) => ({ ...origin, accountId, origin: each })),
  ];
  for (const externalId of ['1', null]) {
    const ids = origins.map((each) => identifyRows([{ ...row, externalId }], each)[0]?.entryId);
    expect(new Set(ids).size).toBe(4);
  }
});
