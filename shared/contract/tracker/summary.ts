import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currency, date, minutes, uuid } from '#shared/contract/fields.ts';
import { rule } from '#shared/contract/rule.ts';
import { exportWeight } from '#shared/contract/weight.ts';
import {
  GROUPINGS,
  type Grouping,
  groupingsIn,
  groupTable,
  isGroupingList,
  type SummaryGroup,
} from '#shared/domain/tracker/summary-groups.ts';

/** The summary of work entries. */

const summaryOfProject = v.object({
  projectId: v.nullable(uuid),
  projectName: v.nullable(v.string()),
  totalMinutes: v.pipe(minutes, v.description('Billable minutes.')),
  trackedMinutes: v.pipe(minutes, v.description('All minutes.')),
  totalAmount: v.number(),
  currency,
});

const groupBy = v.pipe(
  v.string(),
  rule(
    'enum',
    `one or two different names out of ${GROUPINGS.join(', ')}, with a comma between them`,
    { pattern: `^(?:${GROUPINGS.join('|')})(?:,(?:${GROUPINGS.join('|')}))?$`, examples: ['project', 'user,week'] },
    isGroupingList,
  ),
  v.transform(groupingsIn),
  v.description(
    'One or two different names with a comma between them. The response then has `groups`. By `user`, the entries of the range are read, at most 50,000.',
  ),
);

const groupKey = v.pipe(
  v.object({
    projectId: v.optional(v.nullable(uuid)),
    projectName: v.optional(v.nullable(v.string())),
    clientId: v.optional(v.nullable(uuid)),
    clientName: v.optional(v.nullable(v.string())),
    userId: v.optional(uuid),
    userName: v.optional(v.nullable(v.string())),
    date: v.optional(date),
    week: v.optional(v.pipe(date, v.description('The Monday of the week, which may lie before `dateFrom`.'))),
    month: v.optional(v.pipe(v.string(), v.description('`YYYY-MM`.'))),
  }),
  v.description('The members of what is grouped by: ids with names, or dates.'),
);

const summaryGroup = v.pipe(
  v.object({
    key: groupKey,
    totalMinutes: v.pipe(minutes, v.description('Billable minutes.')),
    trackedMinutes: v.pipe(minutes, v.description('All minutes.')),
    amounts: v.array(v.object({ currency, amount: v.pipe(v.string(), v.description('Decimal string.')) })),
  }),
  v.title('WorkSummaryGroup'),
);

const exampleGroup = {
  key: { week: '2026-11-16' },
  totalMinutes: 90,
  trackedMinutes: 120,
  amounts: [{ currency: 'USD', amount: '180.00' }],
};

const exampleExport = {
  ...exampleGroup,
  amounts: exampleGroup.amounts.map((amount) => ({ ...amount, totalMinutes: 90, trackedMinutes: 120 })),
};

const exampleSummary = {
  dateFrom: '2026-11-01',
  dateTo: '2026-11-30',
  totalMinutes: 90,
  trackedMinutes: 120,
  totalAmount: 180,
  currency: 'USD',
  byProject: [
    { projectId: null, projectName: null, totalMinutes: 90, trackedMinutes: 120, totalAmount: 180, currency: 'USD' },
  ],
  byCurrency: [{ currency: 'USD', totalMinutes: 90, totalAmount: 180 }],
  groups: [exampleGroup],
};

interface GroupedSummary {
  readonly groups: readonly SummaryGroup[];
}

interface GroupedQuery {
  readonly groupBy: readonly Grouping[];
}

export const summarizeEntries = defineEndpoint({
  operationId: 'summarizeEntries',
  method: 'GET',
  path: '/v1/work/tracker/entries/summary',
  area: 'tracker',
  summary: 'Billable totals of a date range',
  description:
    'Every total is a sum of the amounts of entries; currencies are never added together. A project with work in several currencies has an item for each. `totalAmount` counts what is in `currency`, the only currency of the range or else the default of the organization.\n\n' +
    'With `groupBy`, `groups` has the same sums by one or two names, in the order of the keys: by name, then id; dates ascending; what has none last.\n\n' +
    `As CSV, which needs \`groupBy\`: a row for each group and currency, with the members of the key, and the minutes of the entries in this currency, so that each column adds up.`,
  scope: 'tracker:read',
  weight: exportWeight,
  query: v.object({ dateFrom: date, dateTo: date, groupBy: v.optional(groupBy) }),
  response: {
    kind: 'resource',
    status: 200,
    schema: v.pipe(
      v.object({
        dateFrom: date,
        dateTo: date,
        totalMinutes: v.pipe(minutes, v.description('Billable minutes.')),
        trackedMinutes: v.pipe(minutes, v.description('All minutes.')),
        totalAmount: v.number(),
        currency,
        byProject: v.array(summaryOfProject),
        byCurrency: v.array(v.object({ currency, totalMinutes: minutes, totalAmount: v.number() })),
        groups: v.optional(v.array(summaryGroup)),
      }),
      v.title('WorkSummary'),
    ),
  },
  csv: {
    fileName: 'summary.csv',
    needs: 'groupBy',
    table: ({ groups }: GroupedSummary, query: GroupedQuery) => groupTable(groups, query.groupBy),
    example: { result: { groups: [exampleExport] }, query: { groupBy: ['week'] } },
  },
  problems: ['invalid_date_range', 'range_too_large'],
  access: { table: ['GetItem', 'Query'] },
  timeoutSeconds: 29,
  memoryMegabytes: 1_024,
  example: { response: exampleSummary },
});
