import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from '#test/support/browser.ts';
import { given, type User } from '#test/support/given.ts';

/** A front end that another origin serves, in a real browser: it can do what it needs, and read what it is told. */

const baseUrl = inject('baseUrl');

const site = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<title>Front end</title>'),
);

let browser: Browser;
let page: Page;
let ana: User;

const complaints: string[] = [];
const readHeaders = new Set<string>();

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  ana = await given.user();
  browser = await launchBrowser();
  page = await browser.newPage();
  page.on(
    'console',
    (message) => void (/CORS|Access-Control/i.test(message.text()) && complaints.push(message.text())),
  );
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('The front end has no port.');
  await page.goto(`http://127.0.0.1:${address.port}/`);
});

afterAll(async () => {
  await browser?.close();
  site.close();
});

interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Asks from within the page. `text` is what the page got, `headers` are those that it may read. */
async function ask(path: string, { method = 'GET', headers = {}, body }: Request = {}, apiKey = ana.apiKey) {
  const answer = await page.evaluate(
    async ({ url, ...init }) => {
      const response = await fetch(url, init);
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
    },
    {
      url: `${baseUrl}${path}`,
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  );
  for (const name of Object.keys(answer.headers)) readHeaders.add(name);
  return answer;
}

describe('a page of another origin', () => {
  it('signs in, and learns what its key may do', async () => {
    const { status, headers, text } = await ask('/v1/me');
    expect(status).toBe(200);
    expect(JSON.parse(text).data).toMatchObject({ userId: ana.userId, organizationId: ana.organization.id });
    expect(headers.ratelimit).toMatch(/r=\d+/);
  });

  it('starts a timer, once however often it asks under one name, and stops it', async () => {
    const start = { method: 'POST', headers: { 'idempotency-key': 'start-1' }, body: { description: 'From a page' } };
    const [first, again] = [
      await ask('/v1/work/tracker/timer/start', start),
      await ask('/v1/work/tracker/timer/start', start),
    ];
    expect(first.status).toBe(201);
    expect({ ...again, headers: again.headers['idempotency-replayed'] }).toEqual({ ...first, headers: 'true' });

    const { id } = JSON.parse(first.text).data;
    const stopped = await ask(`/v1/work/tracker/timer/${id}/stop`, { method: 'POST', body: {} });
    expect(stopped.status).toBe(200);
    expect(JSON.parse(stopped.text).data.workEntry).toMatchObject({ description: 'From a page' });
  });

  it('changes what it has seen, and is told when it has it already', async () => {
    const path = `/products/${(await given.product(ana)).id}`;
    const seen = (await ask(path)).headers.etag ?? '';
    const kept = await ask(path, { headers: { 'if-none-match': seen } });
    const changed = await ask(path, { method: 'PATCH', headers: { 'if-match': seen }, body: { name: 'Changed' } });
    const late = await ask(path, { method: 'PATCH', headers: { 'if-match': seen }, body: { name: 'Too late' } });
    expect([kept, changed, late].map(({ status }) => status)).toEqual([304, 200, 412]);
  });

  it('pages by the links of a list', async () => {
    await given.client(ana);
    await given.client(ana);
    const first = await ask('/clients?pagination=cursor&first=1');
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '') ?? [];
    const second = await ask(next);
    expect(JSON.parse(second.text).edges).toHaveLength(1);
    expect(second.text).not.toBe(first.text);
  });

  it('downloads an invoice as a PDF, and time as CSV, under the names they come with', async () => {
    const invoice = await given.invoice(ana);
    const pdf = await ask(`/invoices/${invoice.id}/pdf`);
    expect(pdf).toMatchObject({ status: 200, text: expect.stringMatching(/^%PDF-/) });
    expect(pdf.headers['content-disposition']).toBe('inline; filename="draft.pdf"');

    const csv = await ask('/v1/work/tracker/entries', { headers: { accept: 'text/csv' } });
    expect(csv).toMatchObject({ status: 200, text: expect.stringContaining('From a page') });
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.csv"$/);
  });

  it('learns which of its parameters were ignored', async () => {
    const { status, headers } = await ask('/clients?page=2');
    expect([status, headers['billwright-ignored']]).toEqual([200, 'query.page']);
  });

  it('learns when to come back after too many requests', async () => {
    const { apiKey } = await given.user({ rateLimit: 1 });
    await ask('/v1/me', {}, apiKey);
    const { status, headers } = await ask('/v1/me', {}, apiKey);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('has read every header that is meant for it, and met no wall', async () => {
    const { headers } = await fetch(`${baseUrl}/health`, { headers: { origin: 'https://front.example' } });
    const exposed = (headers.get('access-control-expose-headers') ?? '').split(',');
    // A browser follows a redirect unseen.
    expect(exposed.filter((name) => !readHeaders.has(name))).toEqual(['location']);
    expect(complaints).toEqual([]);
  });
});
