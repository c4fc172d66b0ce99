import { describe, expect, it } from 'vitest';
import { bytesInAnswer } from '#shared/domain/answer-size.ts';
import { preview, previewRange, rehearsal } from '#shared/domain/remote/preview.ts';
import { type IdentifiedRow, identifyRows } from '#shared/domain/remote/row.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { problem } from '#test/support/refusals.ts';
import { remoteRow } from '#test/support/remote-rows.ts';

const DAY = '2026-11-20';
const range = { from: DAY, to: DAY };
const origin = { organizationId: 'organization', accountId: 'account' };
const owner = { organizationId: 'organization', userId: 'ana', currency: 'EUR' };

/** Of a function's result, headers and all. */
const LAMBDA_BYTES = 6 * 1_048_576;

type Known = Parameters<typeof preview>[2];

const nothing: Known = {
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
};

const rowsOf = (count: number, description: string) =>
  Array.from({ length: count }, (_, i) => remoteRow({ description, externalId: `${i}` }));

function previewOf(rows: readonly IdentifiedRow[], known: Partial<Known> = {}) {
  const fetched = { rows, skippedEntries: 0, skippedIds: [], unusableEntries: [], totalEntries: rows.length };
  return preview(range, fetched, { ...nothing, ...known });
}

/** As the function hands it over where the caller takes nothing packed. */
function resultBytes(data: unknown): number {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'r'.repeat(36), ratelimit: 'x'.repeat(100) };
  return Buffer.byteLength(JSON.stringify({ statusCode: 200, headers, body: JSON.stringify({ data }) }));
}

function missing(count: number, description: string): Known['imported'] {
  return Array.from({ length: count }, (_, i) => {
    const draft = { description, durationMinutes: 30, billable: true, entryDate: DAY };
    const entry = newEntry(draft, null, owner, `entry-${i}`, new Date(0));
    return { ...entry, imported: { ...importOrigin, externalId: `${i}` } };
  });
}

const importOrigin = { accountId: 'account', content: '', jobId: 'job', isEdited: false, userLabel: null };

/** More than fits into any answer. */
const MOST = 4_096;

/** What fills an answer: made once of a text, of which an answer then shows as many as it is told to. */
const FILLINGS = {
  'rows of a preview': (text: string) => {
    const rows = identifyRows(rowsOf(MOST, text), origin);
    return (count: number) => previewOf(rows.slice(0, count));
  },
  'rows of a dry run': (text: string) => {
    const rows = identifyRows(rowsOf(MOST, text), origin);
    return (count: number) => rehearsal(rows.slice(0, count), nothing);
  },
  'missing entries': (text: string) => {
    const imported = missing(MOST, text);
    return (count: number) => previewOf([], { imported: imported.slice(0, count) });
  },
  names: (text: string) => {
    const all = Array.from({ length: MOST }, (_, i) => `${text}${i}`);
    return (count: number) => {
      const names = all.slice(0, count);
      const clientMapping = new Map(names.map((name) => [name, 'client']));
      return previewOf([], { mappings: { ...nothing.mappings, clientMapping, unmappedProjects: names } });
    };
  },
};

/** Of an answer that would be too long. */
const WHY: Readonly<Record<string, object>> = {
  too_many_remote_entries: {
    path: 'dateFrom',
    message: 'The preview of this range of dates is too long for one answer: ask for a narrower one.',
  },
  validation_failed: { path: 'rows', message: 'The rows are too long for one answer: try fewer of them.' },
};

describe('a row of a preview', () => {
  const [row] = identifyRows([remoteRow({ externalId: '1' })], origin);
  if (!row) throw new Error('There is a row.');
  const { entryId, content } = row;

  const [made] = missing(1, 'Work');
  if (!made) throw new Error('There is an entry.');
  const storedWith = (known: string) =>
    new Map([[entryId, { ...made, imported: { ...importOrigin, externalId: '1', content: known } }]]);

  const wait = { entryId, externalId: '1', date: DAY, content, heldBackAt: '', holdId: null, lockedDate: null };
  const waiting = (change: string) => [{ ...wait, holdId: 'hold', content: change }];

  it.each<[string, Partial<Known>, string, boolean]>([
    ['that was never imported', {}, 'new', false],
    ['that is as it was', { stored: storedWith(content), heldBack: waiting(content) }, 'duplicate', false],
    ['beside an older wait', { stored: storedWith(content), heldBack: waiting('old') }, 'duplicate', false],
    ['that has changed', { stored: storedWith('old') }, 'changed', false],
    ['whose change waits for an invoice', { stored: storedWith('old'), heldBack: waiting(content) }, 'changed', true],
    [
      'whose change waits for a closed period',
      { stored: storedWith('old'), heldBack: [{ ...wait, lockedDate: DAY }] },
      'changed',
      false,
    ],
    [
      'that has changed since one that waited was made',
      { stored: storedWith('old'), heldBack: waiting('old') },
      'changed',
      false,
    ],
  ])('says what a confirm would do with one %s', (_, known, status, heldBack) => {
    expect(previewOf([row], known).rows).toMatchObject([{ status, heldBack, isLocked: false }]);
  });

  it.each([
    ['2026-11-19', false],
    [DAY, true],
  ])('is locked if its day, or that of its entry, is in a period closed through %s', (lockedThrough, isLocked) => {
    const moved = new Map([[entryId, { ...made, entryDate: '2026-12-01' }]]);
    expect(previewOf([row], { lockedThrough }).rows).toMatchObject([{ isLocked }]);
    expect(previewOf([row], { lockedThrough, stored: moved }).rows).toMatchObject([{ isLocked }]);
    const later = { ...row, date: '2026-12-01' };
    expect(previewOf([later], { lockedThrough, stored: storedWith(content) }).rows).toMatchObject([{ isLocked }]);
  });
});

it('a preview is of the thirty days before its last, or from a date that is not later', () => {
  expect(previewRange({}, DAY)).toEqual({ from: '2026-10-21', to: DAY });
  expect(previewRange({ dateFrom: DAY }, DAY)).toEqual(range);
  expect(() => previewRange({ dateFrom: '2026-11-21' }, DAY)).toThrow(problem('invalid_date_range'));
});

it('a preview names a hundred entries that cannot be imported, and counts all', () => {
  const unusable = { date: DAY, hours: -1, reason: 'negative_duration' } as const;
  const unusableEntries = Array.from({ length: 101 }, (_, i) => ({ ...unusable, externalId: `${i}` }));
  const fetched = { rows: [], skippedEntries: 101, skippedIds: [], unusableEntries, totalEntries: 101 };
  const shown = preview(range, fetched, nothing);
  expect(shown).toMatchObject({ skippedEntries: 101, unusableEntries: unusableEntries.slice(0, 100) });
});

it('counts tell new rows from those that are here already, and changed ones among these', () => {
  const rows = identifyRows([remoteRow({ externalId: '0', rate: '80.5' }), ...rowsOf(6, 'Work').slice(1)], origin);
  const known = (content: string, each: IdentifiedRow | undefined) =>
    [each?.entryId ?? '', { entryDate: DAY, imported: { ...importOrigin, externalId: null, content } }] as const;
  const [first, second, third] = rows;
  const same = [first, second].map((each) => known(each?.content ?? '', each));
  const stored = new Map([...same, known('old', third)]);
  const counts = { newEntries: 3, duplicateEntries: 3, changedEntries: 1 };
  expect(previewOf(rows, { stored })).toMatchObject({ totalEntries: 6, skippedEntries: 0, ...counts });
  const rehearsed = rehearsal([...rows, ...rows.slice(3)], { ...nothing, stored });
  expect(rehearsed).toMatchObject({ totalRows: 9, newRows: 3, duplicateRows: 6, changedRows: 1 });
  for (const shown of [previewOf(rows, { stored }).rows, rehearsed.rows]) {
    expect(shown.slice(0, 2).map(({ rate }) => rate)).toEqual([80.5, null]);
  }
});

it('an entry is missing of which the provider has shown neither a row nor one that was skipped', () => {
  const fetched = { rows: [], skippedEntries: 1, skippedIds: ['1'], unusableEntries: [], totalEntries: 1 };
  const { missingEntries } = preview(range, fetched, { ...nothing, imported: missing(3, 'Work') });
  expect(missingEntries.map(({ externalId }) => externalId)).toEqual(['0', '2']);
});

describe('an answer that is full of', () => {
  it('a text has 6,200,000 bytes at most', () => {
    const names = JSON.stringify({ ...nothing.mappings, clientMapping: {}, projectMapping: {}, userMapping: {} });
    const entries = previewOf([], { imported: missing(1, '') }).missingEntries.map((entry) => JSON.stringify(entry));
    const room = [names, ...entries].reduce((left, part) => left - bytesInAnswer(part), 6_200_000);
    expect(() => previewOf([], { imported: missing(1, 'x'.repeat(room)) })).not.toThrow();
    const more = () => previewOf([], { imported: missing(1, 'x'.repeat(room + 1)) });
    expect(more).toThrow(problem('too_many_remote_entries'));
  });

  // Letters that take six bytes in JSON, one, two and four.
  it.each<[keyof typeof FILLINGS, string, string]>([
    ['rows of a preview', '\u0000', 'too_many_remote_entries'],
    ['rows of a dry run', 'x', 'validation_failed'],
    ['missing entries', '"', 'too_many_remote_entries'],
    ['names', '🧮', 'too_many_remote_entries'],
  ])(
    '%s with %j is as long as a function may answer, and is refused where it would be longer',
    (what, character, code) => {
      const make = FILLINGS[what](character.repeat(2_000));
      // Each takes as many bytes as any other, but for the digits of its number.
      const [few, more] = [resultBytes(make(100)), resultBytes(make(200))];
      const countOf = (bytes: number) => 100 + Math.ceil(((bytes - few) / (more - few)) * 100);
      expect(resultBytes(make(countOf(0.95 * LAMBDA_BYTES)))).toBeLessThan(LAMBDA_BYTES);
      const details = expect.objectContaining({ errors: [{ ...WHY[code], code }] });
      const refused = expect.objectContaining({ code, details });
      expect(() => make(countOf(LAMBDA_BYTES))).toThrow(refused);
    },
  );
});
