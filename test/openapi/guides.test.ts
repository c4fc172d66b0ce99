import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Endpoint, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { guides } from '#shared/openapi/guides.ts';
import { EXAMPLE_IDS } from '#shared/openapi/parameters.ts';
import { routes } from '#shared/routes.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface ReadRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function readRequest(text: string): ReadRequest {
  const [head = '', body = ''] = text.split('\n\n');
  const [line = '', ...headers] = head.split('\n');
  const [method = '', target = ''] = line.split(' ');
  return { method, target, headers: Object.fromEntries(headers.map((each) => each.split(': '))), body };
}

const steps = guides.flatMap((guide) => guide.steps);

const requests = steps.flatMap(({ text, request }) => (request === undefined ? [] : [{ text, request }]));

const linkTo = ({ summary, area, operationId }: Endpoint) => `([${summary}](/docs#/${area}/${operationId}))`;

const membersOf = (schema: Endpoint['body']) => Object.keys((schema && 'entries' in schema && schema.entries) || {});

describe('the guides', () => {
  it('link to operations only in steps with a request', () => {
    expect(steps.filter(({ text }) => text.includes('](')).map(({ text }) => text)).toEqual(
      requests.map(({ text }) => text),
    );
  });

  it.each(requests)('ask only what the contract takes: $text', ({ text, request }) => {
    const { method, target, headers, body } = readRequest(request);
    const endpoint = routes.find((route) => text.endsWith(linkTo(route)));
    const { pathname, searchParams } = new URL(target, 'https://billwright.example');
    expect(`${method} ${pathname.replace(UUID, '{}')}`).toBe(
      `${endpoint?.method} ${endpoint?.path.replace(/\{\w+\}/, '{}')}`,
    );
    if (!endpoint) return;
    expect(membersOf(endpoint.query)).toEqual(expect.arrayContaining([...searchParams.keys()]));
    expect('Idempotency-Key' in headers && !takesIdempotencyKey(endpoint)).toBe(false);
    if (!endpoint.body || (body === '' && endpoint.bodyOptional)) return;
    const sent = JSON.parse(body);
    expect(v.safeParse(endpoint.body, sent).issues).toBeUndefined();
    expect(membersOf(endpoint.body)).toEqual(expect.arrayContaining(Object.keys(sent)));
  });
});

/** `2026-11-20` for today, in UTC. */
const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Sends the requests of a guide. Each id of the text is that of the last thing that was made before it.
 *
 * @param real other days and ids for those of the text
 * @returns the bodies of the answers
 */
async function walk(title: string, ana: User, real = new Map<string, string>()): Promise<Json[]> {
  let made = '';
  const told = (text: string) =>
    text
      .replaceAll(/\d{4}-\d{2}-\d{2}/g, (day) => real.get(day) ?? day)
      .replaceAll(UUID, (id) => {
        if (!real.has(id)) real.set(id, made);
        return real.get(id) ?? id;
      });
  const bodies: Json[] = [];
  for (const { request } of guides.find((guide) => guide.title === title)?.steps ?? []) {
    if (request === undefined) continue;
    const { method, target, headers, body } = readRequest(request);
    const rawBody = body === '' ? undefined : told(body);
    const reply = await ana.send(method, told(target), { headers, rawBody });
    expect(reply.status, target).toBeLessThan(300);
    made = reply.body.data?.id ?? made;
    bodies.push(reply.body);
  }
  return bodies;
}

describe('the first guide', () => {
  it('leads from a timer to an invoice as a PDF', async () => {
    // A timer runs today.
    const days = new Map([-1, 0, 1].map((day, i) => [`2026-03-${['01', '02', '31'][i]}`, dayFromToday(day)]));
    const [, , , stopped, entry, , sent, pdf] = await walk('First invoice from tracked time', await given.user(), days);
    // A minute of the timer and 90 by hand, at 80 an hour.
    expect(stopped.data.workEntry).toMatchObject({ billable: true, rate: '80', amount: '1.33' });
    expect(entry.data).toMatchObject({ billable: true, rate: '80', amount: '120.00' });
    expect(sent.data).toMatchObject({ status: 'sent', number: 'INV-000001', total: '121.33' });
    expect(new TextDecoder().decode(pdf.slice(0, 5))).toBe('%PDF-');
  });
});

describe('the guide to quarters of an hour', () => {
  it('tells the figures that its requests make', async () => {
    const title = 'Bill in quarters of an hour';
    const [, , review, call, less, summary, invoice] = await walk(title, await given.user());
    const [line] = invoice.data.lineItems;
    const figures = [
      [],
      [],
      [review.data.billedMinutes, review.data.amount],
      [call.data.billedMinutes, call.data.amount],
      [less.data.billedMinutes, less.data.amount],
      [summary.data.totalMinutes, summary.data.billedMinutes, summary.data.totalAmount],
      [line.quantity, line.amount, line.workedMinutes],
    ];
    expect(figures.flat()).toEqual([60, '100.00', 15, '25.00', 10, '16.67', 55, 70, 116.67, '1.166667', '116.67', 55]);
    const texts = guides.find((guide) => guide.title === title)?.steps.map(({ text }) => text) ?? [];
    expect(texts.filter((text, i) => figures[i]?.some((figure) => !text.includes(String(figure))))).toEqual([]);
  });
});

describe('the guide to close a month', () => {
  it('has the figures that it says, before and after the month is closed', async () => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const work = { clientId, rate: 120 };
    const { id } = await given.entry(ana, { ...work, entryDate: '2026-10-12', durationMinutes: 90 });
    await given.entry(ana, { ...work, entryDate: '2026-10-30', durationMinutes: 30 });
    const real = new Map<string, string>([
      [EXAMPLE_IDS.clientId, clientId],
      [EXAMPLE_IDS.entryId, id],
    ]);
    const [look, , forgotten, , , , bill] = await walk('Close a month', ana, real);
    expect(look.data).toMatchObject({ totalMinutes: 120, totalAmount: 240 });
    expect(forgotten.data.amount).toBe('60.00');
    expect(bill.data.total).toBe('180.00');
  });
});
