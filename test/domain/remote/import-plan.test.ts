import { expect, it } from 'vitest';
import { brokenRules, planRow, withoutDeletedLinks } from '#shared/domain/remote/import-plan.ts';
import { identifyRows, type RemoteRow } from '#shared/domain/remote/row.ts';
import type { ProjectTerms } from '#shared/domain/tracker/project-terms.ts';
import { plannedRow, remoteRow } from '#test/support/remote-rows.ts';

const terms = { currency: 'USD', defaultRate: null };
const own = {
  clients: new Map([['acme', {}]]),
  projects: new Map([
    ['site', { ...terms, id: 'site', clientId: 'acme' }],
    ['shop', { ...terms, id: 'shop', clientId: 'globex' }],
    ['ours', { ...terms, id: 'ours', clientId: null }],
  ]),
  users: new Map([
    ['ana', { isActive: true }],
    ['left', { isActive: false }],
  ]),
};

const mappings = {
  clients: new Map([
    ['Acme', 'acme'],
    ['Gone', 'gone'],
  ]),
  projects: new Map([
    ['Site', 'site'],
    ['Shop', 'shop'],
    ['Ours', 'ours'],
    ['Gone', 'gone'],
  ]),
  users: new Map([
    ['Ana', 'ana'],
    ['Gone', 'gone'],
    ['Left', 'left'],
  ]),
};

const TEXTS: Readonly<Record<string, string>> = {
  reference_not_found: 'The organization has nothing with this id.',
  client_mismatch: 'The mapped project belongs to another client than the mapped one.',
};

const OF_MAPPINGS = ['clientMapping.Gone', 'projectMapping.Gone', 'userMapping.Gone', 'userMapping.Left'];

it.each([
  [{ client: 'Acme', project: 'Site', user: 'Ana' }, []],
  [{ client: 'Acme', project: 'Ours' }, []],
  [{ client: 'Unknown', project: 'Shop', user: 'Unknown' }, []],
  [{ client: 'Acme', project: 'Shop' }, [['project', 'client_mismatch']]],
  [{ client: 'Gone' }, [['client', 'reference_not_found']]],
  [{ user: 'Left' }, [['user', 'reference_not_found']]],
  [
    { client: 'Gone', project: 'Gone', user: 'Gone' },
    [
      ['client', 'reference_not_found'],
      ['project', 'reference_not_found'],
      ['user', 'reference_not_found'],
    ],
  ],
])('a row breaks the rules by each of its names, behind those of the mappings: %j', (names, broken) => {
  const rows = identifyRows([remoteRow(names)], { organizationId: 'organization', accountId: 'account' });
  const { violations, invalidRows } = brokenRules(rows, mappings, own);
  expect(violations.map(({ path, code }) => [path, code])).toEqual([
    ...OF_MAPPINGS.map((path) => [path, 'reference_not_found']),
    ...broken.map(([member, code]) => [`rows.0.${member}`, code]),
  ]);
  for (const { code, message } of violations) expect(message).toBe(TEXTS[code]);
  expect(invalidRows).toBe(broken.length > 0 ? 1 : 0);
});

const userRates = [{ userId: 'ana', rate: '90' }];
const rounding = { minutes: 60, mode: 'up', minimumMinutes: 0 } as const;
const priced = new Map<string, ProjectTerms>([
  ['site', { id: 'site', clientId: 'acme', currency: 'EUR', defaultRate: '80', userRates, rounding }],
  ['shop', { id: 'shop', clientId: 'globex', currency: 'EUR', defaultRate: '70' }],
]);
const planned = (values: Partial<RemoteRow>) => {
  const [row] = identifyRows([remoteRow(values)], { organizationId: 'organization', accountId: 'account' });
  return row && planRow(row, mappings, priced, 'USD', { rounding: { ...rounding, minutes: 20 } });
};

it.each<[Partial<RemoteRow>, object]>([
  [{}, { rate: null, currency: 'USD', clientId: null, projectId: null, userId: null, billedMinutes: 40 }],
  [{ project: 'Ours' }, { projectId: null, rate: null, currency: 'USD' }],
  [
    { project: 'Site' },
    { clientId: 'acme', projectId: 'site', rate: '80', currency: 'EUR', userRates, billedMinutes: 60 },
  ],
  [
    { project: 'Site', user: 'Ana' },
    { rate: '90', userRates: [] },
  ],
  [
    { project: 'Site', rate: '5' },
    { rate: '5', currency: 'USD', userRates: [] },
  ],
  [
    { project: 'Site', rate: '5', currency: 'EUR' },
    { rate: '5', currency: 'EUR', userRates: [] },
  ],
  [
    { project: 'Site', currency: 'USD' },
    { rate: '80', currency: 'EUR', userRates },
  ],
  [
    { project: 'Site', currency: 'JPY' },
    { rate: null, currency: 'JPY', userRates: [] },
  ],
  [
    { project: 'Shop', client: 'Acme' },
    { clientId: 'acme', projectId: 'shop', rate: '70', userRates: [] },
  ],
  [{ project: 'Shop', billable: false }, { billedMinutes: null }],
  [{ project: 'Shop', durationMinutes: 40 }, { billedMinutes: null }],
])('a row with %j becomes work with %j', (values, expected) => {
  expect({ userRates: [], billedMinutes: null, ...planned(values) }).toMatchObject(expected);
});

it('a row that is about to be written loses the links to what was deleted meanwhile, and no others', () => {
  const linked = plannedRow({ clientId: 'acme', projectId: 'site' });
  expect(withoutDeletedLinks(linked, own)).toEqual(linked);
  expect(withoutDeletedLinks(linked, { ...own, clients: new Map() })).toEqual({ ...linked, clientId: null });
  expect(withoutDeletedLinks(linked, { ...own, projects: new Map() })).toEqual({ ...linked, projectId: null });
});
