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
  it('learns whose key it has, and how much it may ask', async () => {
    const { headers, text } = await ask('/v1/me');
    expect(JSON.parse(text).data.userId).toBe(ana.userId);
    expect(headers.ratelimit).toMatch(/r=\d+/);
  });

  it('makes something once, however often it asks under one name', async () => {
    const start = { method: 'POST', headers: { 'idempotency-key': 'start-1' }, body: { description: 'From a page' } };
    const first = await ask('/v1/work/tracker/timer/start', start);
    const again = await ask('/v1/work/tracker/timer/start', start);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  });

  it('changes what it has seen, and is told when it has it already', async () => {
    const path = `/products/${(await given.product(ana)).id}`;
    const seen = (await ask(path)).headers.etag ?? '';
    const kept = await ask(path, { headers: { 'if-none-match': seen } });
    const changed = await ask(path, { method: 'PATCH', headers: { 'if-match': seen }, body: { name: 'Changed' } });
    const late = await ask(path, { method: 'PATCH', headers: { 'if-match': seen }, body: { name: 'Too late' } });
    const gone = await ask(path, { method: 'DELETE' });
    expect([kept, changed, late, gone].map(({ status }) => status)).toEqual([304, 200, 412, 200]);
  });

  it('learns where something was made, and how to sign in', async () => {
    const made = await ask('/products', { method: 'POST', body: { name: 'Hosting', price: '9' } });
    expect((await ask(made.headers.location ?? '')).status).toBe(200);
    const refused = await ask('/v1/me', {}, 'unknown');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it('pages by the links of a list, and learns which of its parameters were ignored', async () => {
    await given.client(ana);
    const { headers } = await ask('/clients?pagination=cursor&first=1&page=2');
    expect(headers['billwright-ignored']).toBe('query.page');
    const [, last = ''] = /<([^>]+)>; rel="last"/.exec(headers.link ?? '') ?? [];
    expect((await ask(last)).status).toBe(200);
  });

  it('downloads time as CSV, under the name that it comes with', async () => {
    const { headers } = await ask('/v1/work/tracker/entries', { headers: { accept: 'text/csv' } });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.csv"$/);
  });

  it('learns when to come back after too many requests', async () => {
    const { apiKey } = await given.user({ rateLimit: 1 });
    await ask('/v1/me', {}, apiKey);
    const { status, headers } = await ask('/v1/me', {}, apiKey);
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('has read every header that is meant for it, and met no wall', async () => {
    const { headers } = await fetch(`${baseUrl}/health`, { headers: { origin: 'https://front.example' } });
    const exposed = (headers.get('access-control-expose-headers') ?? '').split(',');
    expect(exposed.filter((name) => !readHeaders.has(name))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
