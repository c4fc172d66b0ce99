import { describe, expect, it } from 'vitest';
import { formatMinor, parseMinor, sumMinor } from '#shared/domain/money.ts';
import { minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import { allText, readPdf } from '#test/pdf/read-pdf.ts';
import { given } from '#test/support/given.ts';
import { leftAfter } from '#test/support/rate-limit.ts';

const PRINTABLE = 5_000;

/** One more entry than is printed, over two weeks, of lengths whose amounts are rounded. */
const ROWS = Array.from({ length: PRINTABLE + 1 }, (_, index) => ({
  date: `2026-11-${String(1 + (index % 14)).padStart(2, '0')}`,
  durationMinutes: 1 + (index % 97),
  description: `Task ${index}.`,
  client: 'Globex',
  rate: '137.5',
}));

const ROW = /Task\d+\..*?(\d+):(\d\d)\$137\.50\$([\d,]+\.\d\d)/g;

describe('the hours of the largest invoice that has them', () => {
  it('are those of each entry, which was imported, and their sum is the line', async () => {
    const ana = await given.user({ name: 'Ana Lopes' });
    const { id: clientId } = await given.client(ana);
    const rows = { origin: 'files', rows: ROWS, clientMapping: { Globex: clientId } };
    expect((await ana.post('/v1/work/tracker/imports', rows)).body.data.importedCount).toBe(ROWS.length);
    const timeEntries = { dateFrom: '2026-11-01', dateTo: '2026-11-14', groupBy: 'project' };
    const { id, lineItems } = await given.invoice(ana, { clientId, timeEntries });
    const refused = await ana.get(`/invoices/${id}/pdf`, { hours: 'true' });
    expect([refused.status, refused.body.code]).toEqual([400, 'document_too_large']);
    const entryIds = lineItems[0].entryIds.slice(0, PRINTABLE);
    const { body } = await ana.patch(`/invoices/${id}`, { lineItems: [{ entryIds }] });
    const [line] = body.data.lineItems;

    const ben = await given.user({ organization: ana.organization, rateLimit: 60 });
    const reply = await ben.get(`/invoices/${id}/pdf`, { hours: 'true' });
    // Some of the fifty requests as which it counts come back while it is drawn.
    expect(leftAfter(reply)).toBeLessThan(30);
    const found = [...allText(await readPdf(reply.body)).matchAll(ROW)];
    expect(found).toHaveLength(PRINTABLE);
    const minutes = found.reduce((sum, [, hours, rest]) => sum + 60 * Number(hours) + Number(rest), 0);
    expect(minutes).toBe(minutesOfQuantity(line.quantity));
    const amounts = found.map(([, , , amount = '']) => parseMinor(amount.replaceAll(',', '')));
    expect(formatMinor(sumMinor(amounts), 'USD')).toBe(line.amount);
  }, 120_000);
});
