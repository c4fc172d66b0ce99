import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { getInvoice } from '#shared/contract/invoices/get-invoice.ts';
import { getInvoicePdf } from '#shared/contract/invoices/get-invoice-pdf.ts';
import { getMe } from '#shared/contract/organization/get-me.ts';
import { createProduct } from '#shared/contract/products/create-product.ts';
import { getProduct } from '#shared/contract/products/get-product.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { stopTimer } from '#shared/contract/tracker/stop-timer.ts';
import { guides } from '#shared/openapi/guides.ts';
import { routes } from '#shared/routes.ts';
import { launchBrowser } from '#test/support/browser.ts';
import { given } from '#test/support/given.ts';
import { addUser, newEmail, signIn } from '#test/support/person.ts';

/** The reference page in a real browser, which finds no host but the local cloud. */

const baseUrl = inject('baseUrl');

const run = promisify(execFile);

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

let browser: Browser;
let page: Page;
const complaints: string[] = [];
const hosts = new Set<string>();

beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: DESKTOP });
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('request', (request) => void hosts.add(new URL(request.url(), baseUrl).host));
  await page.goto(new URL('/docs', baseUrl).href);
});

afterAll(() => browser?.close());

type OperationName = Pick<Endpoint, 'area' | 'operationId'>;

const anchorOf = ({ area, operationId }: OperationName) => `/${area}/${operationId}`;

const operation = (name: OperationName): Locator => page.locator(`article[id="${anchorOf(name)}"]`);

const link = (name: OperationName): Locator => page.locator(`.links a[href="#${anchorOf(name)}"]`);

async function isInView(element: Locator): Promise<boolean> {
  const { y = -1, height = 0 } = (await element.boundingBox()) ?? {};
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
}

/** Only its area is shown then. */
const turnTo = (name: OperationName) => page.evaluate(`location.hash = '#${anchorOf(name)}'`);

/** Opens the form of an operation, and fills it in. */
async function form(name: OperationName, values: Readonly<Record<string, string>> = {}): Promise<Locator> {
  await turnTo(name);
  await operation(name).locator('.try > summary').click();
  const found = operation(name).locator('form');
  for (const [field, value] of Object.entries(values)) await found.locator(`[name="${field}"]`).fill(value);
  return found;
}

async function send(sent: Locator): Promise<Locator> {
  await sent.getByRole('button', { name: 'Send' }).click();
  const outcome = sent.locator('.outcome');
  await outcome.getByText(/^\d{3} /).waitFor();
  return outcome;
}

describe('the reference page', () => {
  it('lists every endpoint of the route table at the side, and has a part for each', async () => {
    const links = page.locator('.links a[href^="#/"]');
    const listed = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(listed.sort()).toEqual(routes.map((route) => `#${anchorOf(route)}`).sort());
    for (const route of routes) {
      expect(
        await operation(route)
          .locator('.route')
          .evaluate((part) => part.textContent),
      ).toBe(`${route.method} ${route.path}`);
    }
  });

  it.each([DESKTOP, PHONE])(
    'begins with the quickstart and the base URL, the search and the key: $width px',
    async (size) => {
      await page.setViewportSize(size);
      for (const part of [page.locator('#key'), page.getByRole('searchbox'), page.locator('#quickstart h2')]) {
        expect(await isInView(part)).toBe(true);
      }
      expect(await page.locator('#quickstart').innerText()).toContain(`Base URL: ${baseUrl}`);
      await page.setViewportSize(DESKTOP);
    },
  );

  it.each([DESKTOP, PHONE])('is no wider than the screen with everything open: $width px', async (size) => {
    await page.setViewportSize(size);
    const open = (isOpen: boolean) =>
      page.evaluate(`for (const part of document.querySelectorAll('.part')) part.hidden = false;
        for (const each of document.querySelectorAll('details')) each.open = ${isOpen};
        document.documentElement.scrollWidth`);
    expect(await open(true)).toBeLessThanOrEqual(size.width);
    await open(false);
    const code = page.locator('.wide code', { hasText: 'invalid_remote_credential' });
    expect(await code.evaluate((part) => part.getClientRects().length)).toBe(1);
    await page.setViewportSize(DESKTOP);
  });

  it.each(['light', 'dark'] as const)(
    'has a contrast of at least 4.5 to 1 in all of its texts: %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    },
  );

  it('tells what an operation takes before what repeats and guards it, and then what it answers', async () => {
    await turnTo(stopTimer);
    const heads = await operation(stopTimer).locator('h4').allInnerTexts();
    expect(heads).toEqual(['Parameters', 'Body', 'Headers', 'Responses', 'Problems']);
  });

  it('shows one part at a time, and colours the code in it', async () => {
    const shown = () => page.locator('main > .part:visible').evaluateAll((parts) => parts.map(({ id }) => id));
    const colours = () => page.evaluate('[...CSS.highlights].filter(([, ranges]) => ranges.size > 0).length');
    await turnTo(createInvoice);
    await expect.poll(shown).toEqual(['invoices']);
    await expect.poll(() => isInView(operation(createInvoice).locator('h3'))).toBe(true);
    await expect.poll(colours).toBe(4);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(60_000);
    await turnTo(getProduct);
    await expect.poll(shown).toEqual(['products']);
    await page.goto(new URL('/docs', baseUrl).href);
    await expect.poll(shown).toEqual(['']);
  });

  it('can be read without its script', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(new URL(`/docs#${anchorOf(createInvoice)}`, baseUrl).href);
    expect(await plain.locator(`article[id="${anchorOf(createInvoice)}"] h3`).innerText()).toBe(createInvoice.summary);
    await plain.close();
  });
});

describe('its search', () => {
  const found = () => page.locator('.links a:visible').allInnerTexts();
  const search = (words: string) => page.getByRole('searchbox').fill(words);

  it.each([
    ['a name', 'undo an import', 'Undo an import'],
    ['a path', '/timer/{sessionid}/stop', 'Stop a running timer'],
    ['a text', 'series has no gaps', 'Send a draft invoice'],
    ['a guide', 'exponential backoff', 'Retrying'],
  ])('finds %s', async (_, words, title) => {
    await search(words);
    expect(await page.locator('#found').innerText()).toMatch(/^\d+ found$/);
    expect((await found()).join('\n')).toContain(title);
    expect((await found()).length).toBeLessThan(20);
  });

  it('is reached by a key, and leads to the first that it found', async () => {
    await search('');
    await page.locator('#quickstart h1').click();
    await page.keyboard.press('/');
    await page.keyboard.type(createInvoice.summary);
    await page.keyboard.press('Enter');
    await expect.poll(() => isInView(operation(createInvoice).locator('h3'))).toBe(true);
    await search('');
    await expect.poll(() => link(createInvoice).getAttribute('aria-current')).toBe('location');
  });

  it('leads from an operation to its guide, and from there to each step', async () => {
    const [guide] = guides;
    await operation(createInvoice).getByRole('link', { name: guide?.title }).first().click();
    await expect.poll(() => isInView(page.locator('main h3').filter({ hasText: guide?.title }).first())).toBe(true);
    await page.locator('main ol').first().getByRole('link', { name: createInvoice.summary }).click();
    await expect.poll(() => isInView(operation(createInvoice).locator('h3'))).toBe(true);
  });
});

describe('the keyboard', () => {
  const focused = (at: Page) => at.evaluate('document.activeElement.id || document.activeElement.textContent.trim()');

  it('goes through the page in the order of reading, and shows where it is', async () => {
    const fresh = await browser.newPage({ viewport: DESKTOP });
    await fresh.goto(new URL('/docs', baseUrl).href);
    await fresh.bringToFront();
    for (const stop of ['Skip to the text', 'key', 'openapi.json', 'search', 'Quickstart']) {
      await fresh.keyboard.press('Tab');
      await expect.poll(() => focused(fresh)).toBe(stop);
      expect(await fresh.evaluate("getComputedStyle(document.activeElement).outlineStyle !== 'none'")).toBe(true);
    }
    await fresh.getByText('Skip to the text').focus();
    for (const key of ['Enter', 'Tab']) await fresh.keyboard.press(key);
    const isInText = () => fresh.evaluate("document.querySelector('main').contains(document.activeElement)");
    await expect.poll(isInText).toBe(true);
    await fresh.close();
  });

  it('opens and closes the contents on a phone', async () => {
    await page.setViewportSize(PHONE);
    const menu = page.getByRole('button', { name: 'Contents' });
    await menu.focus();
    for (const isOpen of [true, false]) {
      await page.keyboard.press('Enter');
      await expect.poll(() => link(createInvoice).isVisible()).toBe(isOpen);
    }
    await page.setViewportSize(DESKTOP);
  });
});

describe('a key in it', () => {
  const enter = (key: string) => page.locator('#key').fill(key);

  it('that is wrong is told at once', async () => {
    await enter('bw_wrong');
    await expect.poll(() => page.locator('#key-state').innerText()).toBe('This key is not valid.');
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('401')));
  });

  it('that is right is told with its user, is kept nowhere, and brings ids that exist into the examples, which then run', async () => {
    const ana = await given.user();
    const { id } = await given.product(ana);
    const client = await given.client(ana);
    const timer = await given.timer(ana);
    await enter(ana.apiKey);
    await expect.poll(() => page.locator('#key-state').innerText()).toContain(`of ${ana.organization.name}`);
    const [guide = ''] = guides.map(({ id }) => id);
    await expect
      .poll(() => page.locator(`section[id="${guide}"] pre`).allTextContents())
      .toEqual(expect.arrayContaining([expect.stringContaining(`"clientId": "${client.id}"`)]));
    const stop = operation(stopTimer).locator('[name=sessionId]');
    expect(await stop.evaluate((field) => 'value' in field && field.value)).toBe(timer.id);
    const sample = operation(getProduct).locator('pre.curl');
    await expect.poll(() => sample.evaluate((pre) => pre.textContent)).toContain(id);
    const { stdout } = await run('bash', ['-c', `${await sample.evaluate((pre) => pre.textContent)}`], {
      env: { ...process.env, API_KEY: ana.apiKey },
    });
    expect(JSON.parse(stdout).data.id).toBe(id);
    expect(await page.locator('main').evaluate((main) => main.textContent)).not.toContain(ana.apiKey);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(ana.apiKey);

    const outcome = await send(await form(getProduct));
    expect(await outcome.innerText()).toMatch(/^200 /);
    expect(await outcome.locator('pre').last().innerText()).toContain(id);
  });

  it('sends a request as it was filled in, and nothing that was not', async () => {
    const body = operation(createProduct).locator('textarea');
    const sent = await form(createProduct);
    expect(await sent.locator('[name="Idempotency-Key"]').inputValue()).toBe('');
    await body.fill('{"name": "Seen in the reference", "price": "1.00"}');
    const outcome = await send(sent);
    expect(await outcome.innerText()).toMatch(/^201 /);
    expect(await outcome.locator('pre').last().innerText()).toContain('Seen in the reference');
  });

  it('gets a PDF and a CSV file as they are', async () => {
    const ana = await given.user();
    const invoice = await given.invoice(ana);
    await given.entry(ana, { description: 'In a file' });
    await enter(ana.apiKey);
    await expect
      .poll(() =>
        operation(getInvoice)
          .locator('[name=id]')
          .evaluate((field) => 'value' in field && field.value),
      )
      .toBe(invoice.id);
    const { body: bytes } = await ana.get(`/invoices/${invoice.id}/pdf`);
    const pdf = await send(await form(getInvoicePdf, { id: invoice.id }));
    const link = pdf.getByText('Save draft.pdf');
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect([download.suggestedFilename(), download.url()]).toEqual(['draft.pdf', await link.getAttribute('href')]);
    expect((await readFile(await download.path())).equals(bytes)).toBe(true);
    expect(await pdf.locator('pre').allTextContents()).toEqual([expect.stringContaining('application/pdf')]);

    const list = await form(listEntries);
    await list.locator('select[name=accept]').selectOption('text/csv');
    const csv = await send(list);
    expect(await csv.locator('pre').last().innerText()).toContain('In a file');
    expect(await csv.getByText(/^Save .*\.csv$/).count()).toBe(1);
  });
});

describe('a token in it', () => {
  it('is told with its user, and sends each request to the organization that is chosen', async () => {
    const email = newEmail();
    const organizations = [await given.organization(), await given.organization()];
    for (const organization of organizations) await addUser(organization, email);
    const person = signIn(email);
    await page.locator('#key').fill(person.token);
    await expect.poll(() => page.locator('#key-state').innerText()).toBe('Choose your organization.');
    expect((await person.get('/v1/me/organizations')).body.data).toMatchObject([{ linked: false }, { linked: false }]);
    const choice = page.getByLabel('Organization', { exact: true });
    for (const { name } of organizations) {
      await choice.selectOption({ label: name });
      await expect.poll(() => page.locator('#key-state').innerText()).toContain(`of ${name}`);
      const outcome = await send(await form(getMe));
      await expect.poll(() => outcome.locator('pre').last().innerText()).toContain(name);
      await operation(getMe).locator('.try > summary').click();
    }
    await page.locator('#key').fill('a.b.c');
    await expect.poll(() => page.locator('#key-state').innerText()).toContain('The token is not valid here.');
    expect(await choice.isVisible()).toBe(false);
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('401')));
  });
});

it('the page, after all of that, has asked no other host and left nothing to complain about', () => {
  expect([...hosts]).toEqual([new URL(baseUrl).host]);
  expect(complaints).toEqual([]);
});

/** Runs in the page: the texts whose color is too near to their ground. */
const LOW_CONTRAST = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return channels(color)[3] === 0 ? ground(element.parentElement) : color;
  };
  const low = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (textContent.trim() === '') continue;
    const [a, b] = [getComputedStyle(parentElement).color, ground(parentElement)].map(luminance);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.add(parentElement.className + ': ' + textContent.slice(0, 40) + ' ' + ratio.toFixed(2));
  }
  return [...low];
})()`;
