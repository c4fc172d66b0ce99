import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { allText, readPdf, squeeze } from '#test/pdf/read-pdf.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import {
  type Drawn,
  draftOf,
  drawnInvoice,
  printedAmount,
  printedFigures,
  recount,
  shownFigures,
  stepsOf,
  written,
} from '#test/support/recount.ts';

/**
 * Every figure of some invoices, as callers see them, against a plain recount. `test/domain/invoices/figures.test.ts`
 * has many more of them.
 */

const INVOICES = 24;

/** Any other is as good: a failure names it. */
const SEED = Date.now();

interface Made {
  readonly draw: Drawn;
  readonly id: string;
}

describe(`the figures of ${INVOICES} invoices (seed ${SEED})`, () => {
  let ana: User;
  const made: Made[] = [];

  beforeAll(async () => {
    ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const draws = fc.sample(drawnInvoice, { numRuns: INVOICES, seed: SEED });
    const make = async (draw: Drawn) => {
      const { paid, back } = stepsOf(draw, recount(draw));
      const { id } = await given.sentInvoice(ana, { clientId, ...draftOf(draw), locale: 'en' });
      const payments: Json[] = [];
      for (const minor of paid) {
        payments.push(await given.payment(ana, id, { amount: written(minor, draw.currency), date: '2026-11-20' }));
      }
      const returned = payments[back ?? payments.length];
      if (returned) await ana.delete(`/invoices/${id}/payments/${returned.id}`);
      made.push({ draw, id });
    };
    for (const taxRounding of ['line', 'rate']) {
      await ana.patch('/v1/organization', { taxRounding });
      const queue = draws.filter(({ rounding }) => rounding === taxRounding).values();
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          for (const draw of queue) await make(draw);
        }),
      );
    }
  }, 60_000);

  const expected = ({ draw }: Made) => {
    const counted = recount(draw);
    const { left } = stepsOf(draw, counted);
    const status = left.due === 0n && counted.total > 0n ? ('paid' as const) : ('sent' as const);
    return { counted, left, status, figures: { ...shownFigures(draw, counted, left.due), status } };
  };

  it('are those of a recount in the invoice and in the list', async () => {
    const { data: listed, meta } = (await ana.get('/invoices', { limit: 100 })).body;
    expect(meta.total).toBe(INVOICES);
    for (const each of made) {
      const { data } = (await ana.get(`/invoices/${each.id}`)).body;
      expect(data).toMatchObject(expected(each).figures);
      expect(listed.find(({ id }: Json) => id === each.id)).toEqual(data);
    }
  });

  it('sum up to what is due of all of them, and to what was paid', async () => {
    const { data: listed } = (await ana.get('/invoices', { limit: 100 })).body;
    for (const currency of ['USD', 'JPY', 'BHD'] as const) {
      const ofCurrency = made.filter(({ draw }) => draw.currency === currency);
      const rows = listed.filter((row: Json) => row.currency === currency);
      const minor = (member: string) =>
        rows.reduce((sum: bigint, row: Json) => sum + BigInt(row[member].replace('.', '')), 0n);
      const sum = (of: (each: ReturnType<typeof expected>) => bigint) =>
        ofCurrency.reduce((all, each) => all + of(expected(each)), 0n);
      expect(minor('amountDue')).toBe(sum(({ left }) => left.due));
      expect(minor('amountPaid')).toBe(sum(({ counted, left }) => counted.total - left.due));
    }
  });

  it('are those of a recount in the document', async () => {
    for (const each of made) {
      const { counted, left, status } = expected(each);
      const text = allText(await readPdf((await ana.get(`/invoices/${each.id}/pdf`)).body));
      const { top, table, sums } = printedFigures(each.draw, counted, left.due, status);
      for (const part of [top, table, sums]) expect(text).toContain(squeeze(part.join('')));
      const rows = left.payments.map((amount) => `20 November 2026 ${printedAmount(amount, each.draw.currency)}`);
      expect(text).toContain(squeeze(rows.join('')));
    }
  }, 60_000);
});
