import { expect, it } from 'vitest';
import { brokenRules } from '#shared/domain/remote/import-plan.ts';
import { identifyRows } from '#shared/domain/remote/row.ts';
import { remoteRow } from '#test/support/remote-rows.ts';

const terms = { currency: 'USD', defaultRate: null };
const own = {
  clients: new Map([['acme', {}]]),
  projects: new Map([
    ['site', { ...terms, id: 'site', clientId: 'acme' }],
    ['shop', { ...terms, id: 'shop', clientId: 'globex' }],
    ['ours', { ...terms, id: 'ours', clientId: null }],
  ]),
  users: new Map([['ana', { isActive: true }]]),
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
  ]),
};

const OF_MAPPINGS = ['clientMapping.Gone', 'projectMapping.Gone', 'userMapping.Gone'];

it.each([
  [{}, []],
  [{ client: 'Acme', project: 'Site', user: 'Ana' }, []],
  [{ client: 'Acme', project: 'Ours' }, []],
  [{ client: 'Unknown', project: 'Shop', user: 'Unknown' }, []],
  [{ client: 'Acme', project: 'Shop' }, [['project', 'client_mismatch']]],
  [{ client: 'Gone' }, [['client', 'reference_not_found']]],
  [{ project: 'Gone' }, [['project', 'reference_not_found']]],
  [{ user: 'Gone' }, [['user', 'reference_not_found']]],
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
  expect(invalidRows).toBe(broken.length > 0 ? 1 : 0);
});
