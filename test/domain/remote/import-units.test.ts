import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { messageText } from '#shared/domain/message-text.ts';
import type { PlannedRow } from '#shared/domain/remote/import-plan.ts';
import { chunksOf, removalsOf, unitsOf } from '#shared/domain/remote/import-units.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { importMessage } from '#shared/queue/import-message.ts';
import { plannedRow } from '#test/support/remote-rows.ts';

const MESSAGE_BYTES = 1_048_576;

/** As large as they can be: without a rate, a row also has those of all users of its project. */
const planned = (i: number, characters: string) =>
  plannedRow({
    entryId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    content: 'x'.repeat(22),
    externalId: String(i),
    description: characters.repeat(1_000),
    client: characters.repeat(100),
    user: characters.repeat(100),
    tags: Array.from({ length: 10 }, () => characters.repeat(25)),
    userRates: Array.from({ length: 100 }, () => ({ userId: 'x'.repeat(36), rate: '1234.567891' })),
  });

/** Of 96 items, beside the job's own four: two of each row, and those that rows share, as pages, months and projects. */
it.each<[string, number, number, boolean, (i: number) => Partial<PlannedRow>]>([
  ['in one cell', 46, 2, false, () => ({})],
  ['on several days of a month', 46, 2, false, (i) => ({ date: `2026-11-${10 + (i % 20)}` })],
  ['of two projects in turn', 46, 2, false, (i) => ({ projectId: `${i % 2}` })],
  ['each of another project', 19, 5, false, (i) => ({ projectId: `${i}` })],
  ['each of another year', 19, 5, false, (i) => ({ date: `${1900 + i}-11-20` })],
  ['each in another currency', 23, 4, false, (i) => ({ currency: `${i}` })],
  ['each of another client, without a project', 23, 4, false, (i) => ({ clientId: `${i}`, projectId: null })],
  ['of which some are not billable', 45, 3, false, (i) => ({ billable: i >= 10 })],
  ['that may leave five other items', 13, 8, true, () => ({})],
  ['that may leave five others, and end a wait', 11, 9, true, () => ({ heldBackAt: '2026-11-20' })],
])('of 92 rows %s a transaction takes %i, so there are %i of them', (_, size, count, updateChanged, values) => {
  const rows = Array.from({ length: 92 }, (__, i) => plannedRow({ entryId: `${i}`, projectId: 'p', ...values(i) }));
  const units = unitsOf(rows, updateChanged);
  expect([units[0]?.rows.length, units.length]).toEqual([size, count]);
  expect(units.map(({ number }) => number)).toEqual([...units.keys()]);
  expect(new Set(units.flatMap((unit) => unit.rows))).toEqual(new Set(rows));
});

describe('the messages of an import', () => {
  it('are few, however many transactions there are', () => {
    const units = Array.from({ length: 1_000 }, (_, number) => ({ number, rows: [plannedRow()] }));
    expect(chunksOf(units)).toEqual([units]);
  });

  it.each([
    [900_000, 1],
    [900_001, 2],
  ])('hold units of 900,000 bytes together: those of %i are %i', (bytes, messages) => {
    const unit = (description: string) => ({ number: 0, rows: [plannedRow({ description })] });
    const room = bytes - 2 * messageText(unit('')).length;
    const units = [unit('x'.repeat(room - 400_000)), unit('x'.repeat(400_000))];
    expect(chunksOf(units)).toHaveLength(messages);
  });

  it.each([
    ['U+FFFE and U+FFFF, which JSON may have and SQS may not', '\ufffe\uffff'],
    ['control characters', '\u0001\u0002'],
  ])('each fit the queue as they are sent, and have every row once: texts of %s', (_, characters) => {
    const rows = Array.from({ length: 200 }, (__, i) => planned(i, characters));
    const chunks = chunksOf(unitsOf(rows, false));
    const sent = chunks.map((units) => messageText({ organizationId: 'x'.repeat(36), jobId: 'x'.repeat(36), units }));
    expect(Math.max(...sent.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(MESSAGE_BYTES);
    expect(sent.join()).not.toMatch(/[\ufffe\uffff]/);
    const received = sent.flatMap((text) =>
      v.parse(importMessage, JSON.parse(text)).units.flatMap((unit) => unit.rows),
    );
    expect(received.toSorted((one, other) => Number(one.externalId) - Number(other.externalId))).toEqual(rows);
  });
});

it('an undo removes entries with their metadata in transactions of at most 97 items', () => {
  const owner = { organizationId: 'org', userId: 'user', currency: 'USD' };
  const draft = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20', billable: true };
  const entries = Array.from({ length: 100 }, (_, i) => ({
    ...newEntry(draft, null, owner, `${i}`, new Date()),
    hasMetadata: i % 2 === 0,
  }));
  const removals = removalsOf(entries);
  expect(removals.flat()).toHaveLength(100);
  // Two pages of the ledger and a month of the calendar are beside the entries.
  const items = removals.map((removal) => 3 + 2 * removal.length + removal.filter((each) => each.hasMetadata).length);
  expect(Math.max(...items)).toBeLessThanOrEqual(97);
  expect(removals.length).toBe(3);
  // Those of a project go together, as they share its items.
  const inTurn = entries.map((entry, i) => ({ ...entry, hasMetadata: false, projectId: `${i % 20}` }));
  expect(removalsOf(inTurn).length).toBe(3);
});
