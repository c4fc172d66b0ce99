import { expect, it } from 'vitest';
import { invoiceOf, withoutDeadHold } from '#shared/domain/tracker/hold.ts';

const holds = new Map([['hold', { id: 'hold', invoiceId: 'invoice', except: new Set(['released']) }]]);

it.each([
  ['names none', 'entry', null, null],
  ['names one that exists', 'entry', 'hold', 'invoice'],
  ['is excepted from the one that it names', 'released', 'hold', null],
  ['names a former one', 'entry', 'former', null],
])(
  'an entry is on the invoice of its hold, and names none that means nothing, where it %s',
  (_, id, holdId, invoiceId) => {
    const entry = { id, holdId };
    expect(invoiceOf(entry, holds)).toBe(invoiceId);
    expect(withoutDeadHold(entry, holds)).toEqual({ id, holdId: invoiceId === null ? null : holdId });
  },
);
