import { describe, expect, it } from 'vitest';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';
import { withDeadline } from '#shared/runtime/deadline.ts';
import { item, printed } from './printed.ts';
import { readPdf } from './read-pdf.ts';

/** No such invoice is made: it would be drawn for half a minute. */
const endless = printed({
  lineItems: Array.from({ length: 1_000 }, () => item({ description: 'aא'.repeat(1_000) })),
});

const draw = (changes = {}) => renderInvoice(printed(changes)).then(readPdf);

const OUT_OF_TIME = { code: 'temporarily_unavailable', details: { headers: { 'Retry-After': '1' } } };

describe('a drawing', () => {
  it.each([
    ['with the time of its function, wherever it is', 1_000],
    ['before it begins, without time', -1],
  ])('ends %s, and the next one is drawn', async (_, milliseconds) => {
    const ended = withDeadline(milliseconds, () => renderInvoice(endless));
    await expect(ended).rejects.toMatchObject(OUT_OF_TIME);
    expect((await draw()).pages).toHaveLength(1);
  });

  it('that fails tells why, and the next one is drawn', async () => {
    await expect(draw({ issueDate: 'never' })).rejects.toThrow(RangeError);
    expect((await draw()).pages).toHaveLength(1);
  });

  it('is beside another one that of its own invoice', async () => {
    const both = await Promise.all(['INV-000001', 'INV-000002'].map((number) => draw({ number })));
    expect(both.map(({ info }) => info.Title)).toEqual(['Invoice INV-000001', 'Invoice INV-000002']);
  });
});
