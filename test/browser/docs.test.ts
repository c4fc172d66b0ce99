import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright, type Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listProducts } from '#shared/contract/products/products.ts';
import { routes } from '#shared/routes.ts';
import { given } from '#test/support/given.ts';
import { assertDocumented, bodyOf } from '#test/support/openapi-validator.ts';

/** The reference page in a real browser, which finds no host but the local cloud. */

const baseUrl = inject('baseUrl');

let browser: Browser;
let page: Page;
const complaints: string[] = [];
const hosts = new Set<string>();
const comparisons: Promise<unknown>[] = [];

beforeAll(async () => {
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
    ],
  });
  page = await browser.newPage();
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('request', (request) => void hosts.add(new URL(request.url(), baseUrl).host));
  // What the page holds in itself is no answer of the service.
  page.on('response', (response) => void (response.url().startsWith('http') && comparisons.push(compare(response))));
  await page.goto(new URL('/docs', baseUrl).href);
  await page.locator('.opblock').first().waitFor();
});

afterAll(() => browser?.close());

/** With the OpenAPI document. @returns what is wrong, if anything is */
async function compare(response: Response): Promise<unknown> {
  try {
    const { pathname } = new URL(response.url());
    const headers = new Headers(await response.allHeaders());
    const body = bodyOf({ headers, text: await response.text() });
    assertDocumented(response.request().method(), pathname, { status: response.status(), headers, body });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Swagger UI's element of an operation. */
function operation({ area, operationId }: { readonly area: string; readonly operationId: string }) {
  return page.locator(`#operations-${area}-${operationId}`);
}

async function authorize(apiKey: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.modal-ux');
  await dialog.locator('input').fill(apiKey);
  await dialog.locator('.authorize').click();
  await dialog.locator('.btn-done').click();
}

describe('the reference page', () => {
  it('lists every endpoint of the route table', async () => {
    const listed = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
    expect(listed.sort()).toEqual(routes.map(({ area, operationId }) => `operations-${area}-${operationId}`).sort());
    for (const route of routes) {
      const text = await operation(route).locator('.opblock-summary').innerText();
      expect(text.replaceAll(/[\s\u200b]+/g, ' ')).toBe(`${route.method} ${route.path} ${route.summary}`);
    }
  });

  it('sends a request with the key that was typed in, and shows the answer', async () => {
    const user = await given.user({ scopes: ['products:read', 'products:write'] });
    const product = await given.product(user, { name: 'Seen in the reference' });
    await authorize(user.apiKey);

    const list = operation(listProducts);
    await list.locator('.opblock-summary-control').click();
    await list.getByRole('button', { name: 'Execute' }).click();
    const answer = list.locator('.live-responses-table .response').first();
    await answer.waitFor();

    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/);
    expect(await answer.locator('.highlight-code').first().innerText()).toContain(product.id);
  });

  it('asks no other host and leaves nothing to complain about', () => {
    expect([...hosts]).toEqual([new URL(baseUrl).host]);
    expect(complaints).toEqual([]);
  });

  it('gets nothing but what the document foresees', async () => {
    expect((await Promise.all(comparisons)).filter((fault) => fault !== undefined)).toEqual([]);
    // The page, its script and style, the document itself, and the products that were asked for.
    expect(comparisons.length).toBeGreaterThanOrEqual(5);
  });
});
