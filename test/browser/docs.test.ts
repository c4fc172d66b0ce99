import type { Browser, Locator, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/invoices.ts';
import { createProduct, listProducts } from '#shared/contract/products/products.ts';
import { guides } from '#shared/openapi/guides.ts';
import { routes } from '#shared/routes.ts';
import { launchBrowser } from '#test/support/browser.ts';
import { draws } from '#test/support/draws.ts';
import { given } from '#test/support/given.ts';
import { assertDocumented, bodyOf } from '#test/support/openapi-validator.ts';

/** The reference page in a real browser, which finds no host but the local cloud. */

const baseUrl = inject('baseUrl');

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

let browser: Browser;
let page: Page;
const complaints: string[] = [];
const hosts = new Set<string>();
const comparisons: Promise<unknown>[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: DESKTOP });
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

type OperationName = Pick<Endpoint, 'area' | 'operationId'>;

/** Swagger UI's element of an operation. */
function operation({ area, operationId }: OperationName): Locator {
  return page.locator(`#operations-${area}-${operationId}`);
}

async function toggle(route: OperationName): Promise<void> {
  await operation(route).locator('.opblock-summary-control').dispatchEvent('click');
}

async function documentWidth(): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth'));
}

async function isInView(element: Locator): Promise<boolean> {
  const { y = -1, height = 0 } = (await element.boundingBox()) ?? {};
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
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

  it.each([DESKTOP, PHONE])('has the key to type in and the filter above the fold: $width px', async (size) => {
    await page.setViewportSize(size);
    expect(await isInView(page.getByRole('button', { name: 'Authorize' }))).toBe(true);
    expect(await isInView(page.getByPlaceholder('Filter by tag or path'))).toBe(true);
    await page.setViewportSize(DESKTOP);
  });

  // One after another, because each change draws all that are open anew.
  it('shows each operation on two screens, and no wider than a phone', { timeout: draws(60_000) }, async () => {
    const misfits: string[] = [];
    for (const route of routes.filter((_, i) => i % 4 < draws(1))) {
      await toggle(route);
      await operation(route).locator('.problems').waitFor();
      const { height } = (await operation(route).boundingBox()) ?? { height: Number.POSITIVE_INFINITY };
      await page.setViewportSize(PHONE);
      const width = await documentWidth();
      await page.setViewportSize(DESKTOP);
      if (height > 2 * DESKTOP.height || width > PHONE.width)
        misfits.push(`${route.operationId}: ${height} px high, ${width} px wide`);
      await toggle(route);
    }
    expect(misfits).toEqual([]);
  });

  it('has an introduction that is no wider than a phone', async () => {
    await page.setViewportSize(PHONE);
    for (const fold of await page.locator('.info summary').all()) await fold.dispatchEvent('click');
    const width = await documentWidth();
    for (const fold of await page.locator('.info summary').all()) await fold.dispatchEvent('click');
    await page.setViewportSize(DESKTOP);
    expect(width).toBe(PHONE.width);
  });

  it('shows the request as code, the problems of the operation itself with examples, and links the others', async () => {
    await toggle(createInvoice);
    const block = operation(createInvoice);
    const code = block.locator('.responses-wrapper [role=tabpanel]').first();
    await code.waitFor();
    expect(await code.innerText()).toContain(`curl -X POST '${baseUrl}${createInvoice.path}'`);
    await block.getByRole('tab', { name: 'JavaScript' }).click();
    expect(await code.innerText()).toContain(`await fetch('${baseUrl}${createInvoice.path}', {`);

    const own = await block.locator('.problems summary code').allInnerTexts();
    expect(own.sort()).toEqual([...(createInvoice.problems ?? []), 'validation_failed'].sort());
    const problem = block.locator('.problems details').filter({ hasText: 'invoice_empty' });
    await problem.locator('summary').click();
    expect(JSON.parse(await problem.locator('pre').innerText())).toMatchObject({ code: 'invoice_empty', status: 400 });
    expect(await block.locator('.problems li a').allInnerTexts()).toEqual(
      expect.arrayContaining(['unauthenticated', 'rate_limited', 'malformed_json']),
    );
    expect(await block.getByText('Links', { exact: true }).count()).toBe(0);
    await toggle(createInvoice);
  });

  it('fills in no example that a request need not have', async () => {
    await toggle(createProduct);
    const header = operation(createProduct).locator('[data-param-name=Idempotency-Key]');
    expect(await header.locator('input').inputValue()).toBe('');
    expect(await header.innerText()).toContain('Example:');
    await toggle(createProduct);
  });

  it('leads from an operation to its guide, and from there to each step', async () => {
    const [guide] = guides;
    await toggle(createInvoice);
    await operation(createInvoice).getByRole('link', { name: guide?.title }).click();
    const step = page.locator('.info details[open]').getByRole('link', { name: createInvoice.summary });
    await expect.poll(() => isInView(page.getByText(guide?.title ?? '').first())).toBe(true);
    await step.click();
    await expect.poll(() => isInView(operation(createInvoice).locator('.opblock-summary'))).toBe(true);
    expect(browser.contexts().flatMap((context) => context.pages())).toEqual([page]);
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
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
    expect(stored).not.toContain(user.apiKey);
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
