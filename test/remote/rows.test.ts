import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { previewRow, rowInput } from '#shared/contract/remote/rows.ts';
import { preview } from '#shared/domain/remote/preview.ts';
import { describedRow, identifyRows } from '#shared/domain/remote/row.ts';
import { RowCollection } from '#shared/remote/harvest-entries.ts';

const origin = { organizationId: 'org', accountId: 'account' };

const known = {
  stored: new Map(),
  imported: [],
  heldBack: [],
  lockedThrough: null,
  mappings: {
    clientMapping: new Map(),
    projectMapping: new Map(),
    userMapping: new Map(),
    unmappedClients: [],
    unmappedProjects: [],
    unmappedUsers: [],
  },
  visibility: 'all',
} as const;

/** Whole UTF-16, halves of characters too. */
const text = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constant('\ud83e')),
});
const longText = fc.oneof(
  text,
  text.map((part) => `${part}🧮é`.repeat(700)),
);
const named = fc.option(fc.record({ name: longText }));
const entry = fc.record(
  {
    id: fc.nat(),
    spent_date: fc.constantFrom('1900-01-01', '2026-11-20', '9998-12-30'),
    hours: fc.oneof(
      fc.double({ min: -1, max: 8_761, noNaN: true }),
      fc.nat(876_000).map((hundredths) => hundredths / 100),
    ),
    notes: fc.option(longText),
    is_running: fc.boolean(),
    billable: fc.boolean(),
    billable_rate: fc.option(fc.double({ min: 0, max: 1e12, maxExcluded: true, noNaN: true })),
    client: fc.option(fc.record({ name: longText, currency: fc.constantFrom(null, '', 'usd', 'JPY', 'GBX') })),
    project: named,
    task: named,
    user: named,
  },
  { requiredKeys: ['id', 'spent_date', 'hours'] },
);

it('turns whatever the provider may say into rows that a confirm takes, and knows again as the same', () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ({ id }) => id }), fc.array(fc.jsonValue()), (entries, others) => {
      const collection = new RowCollection();
      collection.add([...others, ...entries]);
      const fetched = collection.fetched();
      const { rows: found, skippedEntries, unusableEntries, totalEntries } = fetched;
      expect(found.length + skippedEntries).toBe(totalEntries);
      const isUnusable = ({ hours, client }: (typeof entries)[number]) =>
        hours < 0 || hours > 8_760 || client?.currency === 'GBX';
      expect(unusableEntries.length).toBe(totalEntries - entries.filter((each) => !isUnusable(each)).length);
      const rows = identifyRows(fetched.rows, origin);
      const shown = preview({ from: '1900-01-01', to: '9998-12-30' }, { ...fetched, rows }, known).rows;
      const sent = JSON.parse(JSON.stringify(v.parse(v.array(previewRow), shown)));
      const confirmed = identifyRows(v.parse(v.array(rowInput), sent).map(describedRow), origin);
      const identities = (of: typeof rows) => of.map(({ entryId, content }) => [entryId, content]);
      expect(identities(confirmed)).toEqual(identities(rows));
    }),
  );
});
