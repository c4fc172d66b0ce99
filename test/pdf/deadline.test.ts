import { describe, expect, it } from 'vitest';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';
import { item, printed } from './printed.ts';

describe('a drawing that takes too long', () => {
  const LINES = 50;
  const lineItems = Array.from({ length: LINES }, () => item());

  it.each([
    ['between lines', LINES / 2],
    ['between pages', LINES + 1],
  ])('ends %s, with a problem that says to try again', async (_, looksInTime) => {
    let looks = 0;
    const remainingMilliseconds = () => looksInTime - looks++;
    await expect(renderInvoice(printed({ lineItems }), remainingMilliseconds)).rejects.toMatchObject({
      code: 'temporarily_unavailable',
    });
    expect(looks).toBe(looksInTime + 1);
  });
});
