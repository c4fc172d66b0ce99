import { describe, expect, it } from 'vitest';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { assertTakenInTime } from '#shared/work/invoices/take-entries.ts';

const ORGANIZATION = uuid(1);
const HOLD = uuid(9);

/** Free entries with usual texts, of a month, that name a hold which excepts them: their invoice was credited. */
function credited(count: number) {
  const owner = { organizationId: ORGANIZATION, userId: uuid(2), currency: 'USD' };
  const draft = { description: 'x'.repeat(60), durationMinutes: 90, billable: true, rate: '95.50' };
  const project = { id: uuid(3), clientId: uuid(4), currency: 'USD', defaultRate: null };
  const entries = Array.from({ length: count }, (_, i) => {
    const entryDate = `2026-11-${String(1 + (i % 30)).padStart(2, '0')}`;
    const entry = newEntry({ ...draft, entryDate }, project, owner, uuid(5, i), new Date());
    return { ...entry, clientId: project.clientId, rate: draft.rate, version: 1, holdId: HOLD };
  });
  const except = new Set(entries.map(({ id }) => id));
  return { entries, holds: new Map([[HOLD, { id: HOLD, invoiceId: uuid(8), version: 1, except }]]) };
}

function uuid(digit: number, rest = 0): string {
  return `${`${digit}`.repeat(8)}-0000-7000-8000-${String(rest).padStart(12, '0')}`;
}

describe('to bill again what was credited', () => {
  it('takes the more time the more of an invoice it was, as each transaction relies on its hold', () => {
    expect(() => assertTakenInTime(ORGANIZATION, credited(5_000))).not.toThrow();
    expect(() => assertTakenInTime(ORGANIZATION, credited(9_999))).toThrow(
      expect.objectContaining({ code: 'billing_too_large', message: expect.stringContaining('bill about 3152 on') }),
    );
  });

  it('takes no more time than at first once that hold is gone, or is the own one', () => {
    const { entries, holds } = credited(9_999);
    expect(() => assertTakenInTime(ORGANIZATION, { entries, holds: new Map() })).not.toThrow();
    expect(() => assertTakenInTime(ORGANIZATION, { entries, holds }, HOLD)).not.toThrow();
  });

  it('takes hardly more time where few entries are of it, as no more transactions than these rely on its hold', () => {
    const { entries, holds } = credited(9_999);
    const others = entries.map((entry, i) => (i === 0 ? entry : { ...entry, holdId: null }));
    expect(() => assertTakenInTime(ORGANIZATION, { entries: others, holds })).not.toThrow();
  });
});
