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
  return page.evaluate(
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
}

describe('a page of another origin', () => {
  it('makes something once, however often it asks under one name, and reads where it was made', async () => {
    const start = { method: 'POST', headers: { 'idempotency-key': 'start-1' }, body: { name: 'Hosting', price: '9' } };
    const first = await ask('/products', start);
    const again = await ask('/products', start);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    expect((await ask(first.headers.location ?? '')).status).toBe(200);
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

  it('learns how to sign in, and has met no wall', async () => {
    const refused = await ask('/v1/me', {}, 'unknown');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(complaints).toEqual([]);
  });
});
