import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { currency, date, day, integer, uuid } from '#shared/contract/fields.ts';
import { component, described, nullableText } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { summaryWeight } from '#shared/contract/weight.ts';
import { BILLING_STATUSES } from '#shared/domain/tracker/present-entry.ts';
import {
  GROUPINGS,
  type Grouping,
  groupingsIn,
  groupTable,
  isGroupingList,
  type SummaryGroup,
} from '#shared/domain/tracker/summary-groups.ts';

const projectId = described(v.nullable(uuid), 'The project; null: work without one.');

const projectName = nullableText('The current name of the project; null without one.');

const summedMinutes = {
  totalMinutes: described(integer, 'Minutes of billable entries.'),
  trackedMinutes: described(integer, 'Minutes of all entries.'),
  billedMinutes: described(integer, 'What is billed of the minutes of billable entries.'),
};

const { totalMinutes, billedMinutes } = summedMinutes;

const ofAmounts = described(currency, 'The currency of the amount, as an ISO 4217 code.');

const sum = described(v.number(), "The sum of the billable entries' amounts in `currency`.");

const summaryOfProject = v.object({
  projectId,
  projectName,
  ...summedMinutes,
  totalAmount: sum,
  currency: ofAmounts,
});

const groupBy = v.pipe(
  v.string(),
  rule(
    'enum',
    `one or two different names out of ${GROUPINGS.join(', ')}, with a comma between them`,
    { pattern: `^(?:${GROUPINGS.join('|')})(?:,(?:${GROUPINGS.join('|')}))?$`, examples: ['project', 'user,week'] },
    isGroupingList,
  ),
  v.description(
    'One or two different names with a comma between them. The response then has `groups`. Groups by `user` read the entries of the range, at most 50,000 and 100 MB.',
  ),
  v.transform(groupingsIn),
);

const groupKey = v.object({
  projectId: v.optional(projectId),
  projectName: v.optional(projectName),
  clientId: described(v.optional(v.nullable(uuid)), 'The client; null: work without one.'),
  clientName: described(v.optional(v.nullable(v.string())), 'The current name of the client; null without one.'),
  userId: described(v.optional(uuid), 'The user who did the work.'),
  userName: described(v.optional(v.nullable(v.string())), 'The name of the user; null if it is not known.'),
  date: described(v.optional(date), 'The day of the work.'),
  week: described(v.optional(date), 'The Monday of the week, which may lie before `dateFrom`.'),
  month: described(v.optional(v.string()), 'The month, as `YYYY-MM`.'),
});

const groupAmount = v.object({
  currency: ofAmounts,
  amount: described(v.string(), "The sum of the billable entries' amounts in this currency, as a decimal string."),
});

const summaryGroup = component('WorkSummaryGroup', 'The entries of one key, summed up.', {
  key: described(groupKey, 'The ids with names, or the dates, that the group has in common.'),
  ...summedMinutes,
  amounts: described(v.array(groupAmount), 'One for each currency of the group.'),
});

const exampleMinutes = { totalMinutes: 90, trackedMinutes: 120, billedMinutes: 90 };

const exampleGroup = {
  key: { week: '2026-11-16' },
  ...exampleMinutes,
  amounts: [{ currency: 'USD', amount: '180.00' }],
};

const exampleExport = {
  ...exampleGroup,
  amounts: exampleGroup.amounts.map((amount) => ({
    ...amount,
    ...exampleMinutes,
  })),
};

const exampleSummary = {
  dateFrom: '2026-11-01',
  dateTo: '2026-11-30',
  ...exampleMinutes,
  totalAmount: 180,
  currency: 'USD',
  byProject: [
    {
      projectId: null,
      projectName: null,
      ...exampleMinutes,
      totalAmount: 180,
      currency: 'USD',
    },
  ],
  byCurrency: [{ currency: 'USD', totalMinutes: 90, billedMinutes: 90, totalAmount: 180 }],
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
  description: [
    'Every total is a sum of the amounts of entries. Currencies are never added together: a project with several has an item for each. `totalAmount` is the sum in `currency`, which is the only currency of the range, else the default of the organization.',
    '`groupBy` adds `groups`: the same sums by one or two names, in the order of their keys (by name, then id; dates ascending; none last).',
    'CSV needs `groupBy`. It has a row for each group and currency, with the members of the key and the minutes in this currency, so that each column adds up.',
  ].join('\n\n'),
  scope: 'tracker:read',
  weight: summaryWeight,
  query: v.object({
    dateFrom: day('The first day, inclusive.', '2026-11-01'),
    dateTo: day('The last day, inclusive.', '2026-11-30'),
    groupBy: v.optional(groupBy),
    billingStatus: described(
      v.optional(v.picklist(BILLING_STATUSES)),
      'Only entries with this status: `unbilled` is what can be invoiced. `unbilled` and `invoiced` read the billable entries of the range, at most 50,000 and 100 MB.',
    ),
  }),
  response: {
    kind: 'resource',
    status: 200,
    schema: component('WorkSummary', 'Sums of the entries of a range of dates.', {
      dateFrom: described(date, 'The first day, as asked for.'),
      dateTo: described(date, 'The last day, as asked for.'),
      ...summedMinutes,
      totalAmount: sum,
      currency: described(
        currency,
        'The only currency of the billable entries, else that of the organization: an ISO 4217 code.',
      ),
      byProject: described(
        v.array(summaryOfProject),
        'One for each project and currency. Work without a project is an item, too.',
      ),
      byCurrency: described(
        v.array(v.object({ currency: ofAmounts, totalMinutes, billedMinutes, totalAmount: sum })),
        'One for each currency.',
      ),
      groups: described(v.optional(v.array(summaryGroup)), 'With `groupBy`: one for each key, in the order of keys.'),
    }),
  },
  csv: {
    fileName: 'summary.csv',
    needs: 'groupBy',
    table: ({ groups }: GroupedSummary, query: GroupedQuery) => groupTable(groups, query.groupBy),
    example: { result: { groups: [exampleExport] }, query: { groupBy: ['week'] } },
  },
  problems: ['invalid_date_range', 'range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleSummary },
});
