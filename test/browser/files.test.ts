import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { getInvoicePdf } from '#shared/contract/invoices/invoices.ts';
import { listEntries } from '#shared/contract/tracker/entries.ts';
import { launchBrowser } from '#test/support/browser.ts';
import { given, type User } from '#test/support/given.ts';

/** Files that are asked for from the reference page are those that any other caller gets. */

const baseUrl = inject('baseUrl');

const XML = '<?xml version="1.0" encoding="UTF-8"?><Invoice><Note>Grüße &amp; 請求書</Note></Invoice>';

describe('the reference page', () => {
  let ana: User;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    ana = await given.user();
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(error.message));
    await page.goto(new URL('/docs', baseUrl).href);
    await page.locator('.opblock').first().waitFor();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.modal-ux input').fill(ana.apiKey);
    await page.locator('.modal-ux .authorize').click();
    await page.locator('.modal-ux .btn-done').click();
  });

  afterAll(() => browser?.close());

  async function opened({ area, operationId }: Pick<Endpoint, 'area' | 'operationId'>): Promise<Locator> {
    const block = page.locator(`#operations-${area}-${operationId}`);
    await block.locator('.opblock-summary-control').dispatchEvent('click');
    return block;
  }

  /** Executes an operation and saves the file that it answers. */
  async function saved(block: Locator) {
    await block.getByRole('button', { name: 'Execute' }).click();
    const link = block.locator('.live-responses-table').getByRole('link', { name: /^Download / });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  const shownIn = (block: Locator) => block.locator('.live-responses-table .file pre');

  it('saves an invoice as the PDF that it is', async () => {
    const { id, number } = await given.sentInvoice(ana);
    const block = await opened(getInvoicePdf);
    await block.locator('[data-param-name=id] input').fill(id);
    const { name, bytes } = await saved(block);
    const { body } = await ana.get(`/invoices/${id}/pdf`);
    expect(name).toBe(`${number}.pdf`);
    expect(bytes.equals(body)).toBe(true);
    expect(await shownIn(block).count()).toBe(0);
  });

  it('shows entries as the CSV that they are, and saves them as it', async () => {
    await given.entry(ana, { description: 'Grüße, "請求書"' });
    const block = await opened(listEntries);
    await block.getByRole('button', { name: 'text/csv' }).click();
    const { name, bytes } = await saved(block);
    const { body } = await ana.send('GET', listEntries.path, { headers: { accept: 'text/csv' } });
    expect([name, bytes.toString()]).toEqual(['entries.csv', body]);
    expect(await shownIn(block).textContent()).toBe(body);
  });

  it('shows and saves XML as it is', async () => {
    const answer = { contentType: 'application/xml', body: XML };
    await page.route(/\/pdf$/, (route) =>
      route.fulfill({ ...answer, headers: { 'content-disposition': 'inline; filename="INV-000001.xml"' } }),
    );
    const block = page.locator(`#operations-${getInvoicePdf.area}-${getInvoicePdf.operationId}`);
    const { name, bytes } = await saved(block);
    expect([name, bytes.toString()]).toEqual(['INV-000001.xml', XML]);
    expect(await shownIn(block).textContent()).toBe(XML);
  });

  it('shows a problem as before, and nothing of it breaks the policy of the page', async () => {
    await page.unroute(/\/pdf$/);
    const block = page.locator(`#operations-${getInvoicePdf.area}-${getInvoicePdf.operationId}`);
    await block.locator('[data-param-name=id] input').fill('019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61');
    await block.getByRole('button', { name: 'Execute' }).click();
    await expect.poll(() => block.locator('.live-responses-table').innerText()).toContain('not_found');
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });
});
