import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { messageText } from '#shared/domain/message-text.ts';
import type { PlannedRow } from '#shared/domain/remote/import-plan.ts';
import { chunksOf, unitsOf } from '#shared/domain/remote/import-units.ts';
import { importMessage } from '#shared/queue/import-message.ts';

const MESSAGE_BYTES = 1_048_576;

const planned = (i: number, description: string): PlannedRow => ({
  entryId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
  content: 'x'.repeat(22),
  externalId: String(i),
  date: '2026-11-20',
  durationMinutes: 60,
  description,
  client: null,
  user: 'Ada Byron',
  billable: true,
  rate: null,
  currency: 'USD',
  clientId: null,
  projectId: null,
  userId: null,
});

describe('the messages of an import', () => {
  it.each([
    ['U+FFFE and U+FFFF, which JSON may have and SQS may not', '\ufffe\uffff'],
    ['control characters', '\u0001\u0002'],
  ])('each fit the queue as they are sent, and have every row once: descriptions of %s', (_, characters) => {
    const rows = Array.from({ length: 200 }, (__, i) => planned(i, characters.repeat(1_000)));
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
