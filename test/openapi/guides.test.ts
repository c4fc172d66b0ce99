import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Endpoint, parameterNames, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { type GuideRequest, guides, guideText, requestLines } from '#shared/openapi/guides.ts';
import { introduction } from '#shared/openapi/introduction.ts';
import { html } from '#shared/openapi/page/html.ts';
import { referencePage } from '#shared/openapi/page/reference-page.ts';
import { routes } from '#shared/routes.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

const requests = guides.flatMap(({ title, steps }) =>
  steps.flatMap(({ request }) =>
    request ? [{ name: `${title}: ${request.endpoint.method} ${request.endpoint.path}`, request }] : [],
  ),
);

const membersOf = (schema: Endpoint['body']) => Object.keys((schema && 'entries' in schema && schema.entries) || {});

describe('the guides', () => {
  it('are in the introduction of the reference, in short sentences', () => {
    expect(guides.map(({ title }) => title)).toHaveLength(7);
    for (const guide of guides) {
      expect(introduction()).toContain(guideText(guide));
      for (const { text } of guide.steps)
        for (const sentence of text.split(/[.:] /)) expect(sentence.split(' ').length, sentence).toBeLessThan(20);
    }
  });

  it.each(requests)('ask only what the contract takes: $name', ({ request }: { readonly request: GuideRequest }) => {
    const { endpoint, id, query = {}, headers = {}, body } = request;
    expect(routes).toContain(endpoint);
    expect(parameterNames(endpoint.path)).toHaveLength(id === undefined ? 0 : 1);
    expect(membersOf(endpoint.query)).toEqual(expect.arrayContaining(Object.keys(query)));
    expect('Idempotency-Key' in headers && !takesIdempotencyKey(endpoint)).toBe(false);
    if (!endpoint.body || (body === undefined && endpoint.bodyOptional)) return;
    expect(v.safeParse(endpoint.body, body).issues).toBeUndefined();
    expect(membersOf(endpoint.body)).toEqual(expect.arrayContaining(Object.keys(v.parse(v.looseObject({}), body))));
  });
});

describe('the reference page', () => {
  it('shows each request of a guide as the introduction does', () => {
    const page = referencePage(openApiDocument(routes));
    for (const { request } of requests) {
      const text = requestLines(request).join('\n');
      expect(introduction()).toContain(text.replaceAll(/^(?=.)/gm, '   '));
      expect(page).toContain(html`<code data-sample>${text}</code>`.text);
    }
  });
});

interface ReadRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The requests of a guide, as its reader finds them in the introduction. */
function requestsIn(title: string): ReadRequest[] {
  const [, part = ''] = introduction().split(`<summary>${title}</summary>`);
  const [guide = ''] = part.split('</details>');
  return [...guide.matchAll(/```http\n(.*?)```/gs)].map(([, block = '']) => {
    const [head = '', body = ''] = block.replaceAll(/^ {3}/gm, '').trim().split('\n\n');
    const [line = '', ...headers] = head.split('\n');
    const [method = '', target = ''] = line.split(' ');
    return { method, target, headers: Object.fromEntries(headers.map((each) => each.split(': '))), body };
  });
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** `2026-11-20` for today, in UTC. */
const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('the first guide', () => {
  it('leads from a timer to an invoice as a PDF', async () => {
    const ana = await given.user();
    // A timer runs today. Each id of the text is that of the last thing that was made before it.
    const real = new Map([-1, 0, 1].map((days, i) => [`2026-03-${['01', '02', '31'][i]}`, dayFromToday(days)]));
    let made = '';
    const ofToday = (text: string) =>
      text
        .replaceAll(/\d{4}-\d{2}-\d{2}/g, (day) => real.get(day) ?? day)
        .replaceAll(UUID, (id) => {
          if (!real.has(id)) real.set(id, made);
          return real.get(id) ?? id;
        });
    const bodies: Json[] = [];
    for (const { method, target, headers, body } of requestsIn('First invoice from tracked time')) {
      const rawBody = body === '' ? undefined : ofToday(body);
      const reply = await ana.send(method, ofToday(target), { headers, rawBody });
      expect(reply.status, target).toBeLessThan(300);
      made = reply.body.data?.id ?? made;
      bodies.push(reply.body);
    }
    const [, , , stopped, entry, , sent, pdf] = bodies;
    // A minute of the timer and 90 by hand, at 80 an hour.
    expect(stopped.data.workEntry).toMatchObject({ billable: true, rate: '80', amount: '1.33' });
    expect(entry.data).toMatchObject({ billable: true, rate: '80', amount: '120.00' });
    expect(sent.data).toMatchObject({ status: 'sent', number: 'INV-000001', total: '121.33' });
    expect(new TextDecoder().decode(pdf.slice(0, 5))).toBe('%PDF-');
  });

  it('needs `billable` and a rate, as their descriptions say', async () => {
    const ana = await given.user();
    const { components } = openApiDocument(routes);
    const project = JSON.stringify(components.schemas.CreateProject);
    expect(introduction()).toContain('Its timers are billed only with `billable`.');
    expect(project).toContain('Whether timers that start on the project are billable by default.');
    expect(project).toContain('Entries that are typed in are billable by default in any project.');
    expect(project).toContain('null: they have none, and no invoice bills them.');
    const { id: clientId } = await given.client(ana);
    const plain = (await ana.post('/v1/work/tracker/projects', { name: 'Plain', clientId })).body.data;
    const timer = await given.timer(ana, { projectId: plain.id });
    const { workEntry } = (await ana.post(`/v1/work/tracker/timer/${timer.id}/stop`)).body.data;
    const typed = await given.entry(ana, { projectId: plain.id, entryDate: dayFromToday(0), rate: undefined });
    expect([workEntry, typed].map(({ billable, rate }) => [billable, rate])).toEqual([
      [false, null],
      [true, null],
    ]);
    const timeEntries = { dateFrom: dayFromToday(-1), dateTo: dayFromToday(1), groupBy: 'project' };
    const { body } = await ana.post('/invoices', { clientId, timeEntries });
    expect(body).toMatchObject({ code: 'invoice_empty', skipped: { notBillable: 1, noRate: 1, invoiced: 0 } });
  });
});

describe('the guide to a German authority', () => {
  it('leads from the profile to an XRechnung, and to Factur-X', async () => {
    const ana = await given.user();
    // The first made thing is the organization, which the text does not name by an id.
    const made: string[] = [];
    const named: string[] = [];
    const withOwnIds = (text: string) =>
      text.replaceAll(UUID, (id) => {
        if (!named.includes(id)) named.push(id);
        return made[named.indexOf(id) + 1] ?? id;
      });
    const bodies: Json[] = [];
    for (const { method, target, headers, body } of requestsIn('An invoice for a German authority')) {
      const rawBody = body === '' ? undefined : withOwnIds(body);
      const reply = await ana.send(method, withOwnIds(target), { headers, rawBody });
      expect(reply.status, `${target}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
      const { id } = reply.body.data ?? {};
      if (id && !made.includes(id)) made.push(id);
      bodies.push(reply.body);
    }
    const [, , , , checked, sent, xRechnung, facturX] = bodies;
    expect(checked.data).toEqual({ valid: true, problems: [] });
    expect(sent.data).toMatchObject({ status: 'sent', number: 'INV-000001', total: '2856.00' });
    expect(new TextDecoder().decode(xRechnung)).toContain('<ram:BuyerReference>04011000-1234512345-06<');
    expect(new TextDecoder().decode(facturX).includes('<pdfaid:part>3</pdfaid:part>')).toBe(true);
  });
});
