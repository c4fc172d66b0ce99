import { expect, it } from 'vitest';
import { newProject, type ProjectDraft, presentProject, reviseProject } from '#shared/domain/tracker/project.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const later = new Date('2026-11-21T12:00:00.000Z');
const owner = { organizationId: 'org', currency: 'USD' };

const draft: ProjectDraft = {
  clientId: 'c',
  name: 'Site',
  code: null,
  description: null,
  externalRef: null,
  billingMode: 'hourly',
  billable: true,
  userRates: [],
  rounding: null,
  estimateHours: null,
  status: 'in_progress',
  color: null,
  tags: [],
  assignedUserIds: [],
};
const made = (more: Partial<ProjectDraft> = {}) => newProject({ ...draft, ...more }, owner, 'p', now);

it('a new project has no work, no rate, and the currency of its organization', () => {
  expect(made()).toEqual({
    ...draft,
    id: 'p',
    organizationId: 'org',
    defaultRate: null,
    metadata: {},
    currency: 'USD',
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    totals: { totalMinutes: 0, billableMinutes: 0, billedMinutes: 0, amountsMinor: {} },
  });
  expect(made({ currency: 'JPY', metadata: { po: '1' } })).toMatchObject({ currency: 'JPY', metadata: { po: '1' } });
});

it('a rate has two names, of which the first decides, also where it says that there is none', () => {
  const project = made({ defaultRate: '80' });
  const rates = [{}, { defaultRate: '70' }, { rate: '60' }, { rate: '60', defaultRate: '70' }, { rate: null }];
  expect(rates.map((each) => made({ defaultRate: '80', ...each }).defaultRate)).toEqual(['80', '70', '60', '60', null]);
  const changed = rates.map((each) => reviseProject(project, each, later).defaultRate);
  expect(changed).toEqual(['80', '70', '60', '60', null]);
});

it('a changed project is as it was in all else, and the same where nothing differs', () => {
  const project = made({ defaultRate: '80', metadata: { po: '1' } });
  const changes = { name: 'Shop', currency: 'EUR', billingMode: 'fixed', tags: ['Design'] } as const;
  const changed = reviseProject(project, { ...changes, metadata: { cost: '2' } }, later);
  const metadata = { po: '1', cost: '2' };
  expect(changed).toEqual({ ...project, ...changes, metadata, updatedAt: later.toISOString() });
  expect(reviseProject(project, { ...draft, rate: '80', metadata: { po: '1' } }, later)).toBe(project);
});

it('a shown project has the amounts of each currency by its code, and none that have come to nothing', () => {
  const { totals: _, ...fields } = made();
  const minutes = { totalMinutes: 90, billableMinutes: 60, billedMinutes: 75 };
  const amountsMinor = { JPY: 500n, USD: 12_345n, GBP: 0n, EUR: 10n, BHD: -1n };
  expect(presentProject({ ...fields, totals: { ...minutes, amountsMinor } })).toEqual({
    ...fields,
    ...minutes,
    totalAmount: 123.45,
    amountsByCurrency: [
      { currency: 'BHD', amount: '-0.001' },
      { currency: 'EUR', amount: '0.10' },
      { currency: 'JPY', amount: '500' },
      { currency: 'USD', amount: '123.45' },
    ],
  });
  expect(presentProject(made())).toMatchObject({ totalAmount: 0, amountsByCurrency: [] });
});
