import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NAME_PATTERN } from '#shared/contract/fields.ts';
import { allText, readPdf, squeeze } from '#test/pdf/read-pdf.ts';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { bodyWith, membersOf } from '#test/support/schema-members.ts';

/** A hostile text in every member that may come to the document: it prints as text, or is refused when it is stored. */

interface Source {
  readonly operationId: string;
  /** What the body needs beside the texts. */
  readonly base: Readonly<Record<string, unknown>>;
  /** What the document does not show. */
  readonly hidden: readonly string[];
  readonly send: (by: User, body: object, ids: Json) => Promise<Reply>;
}

const DAY = '2026-11-20';

/** In the order in which they are sent. Each may use the ids of those before it. */
const SOURCES: readonly Source[] = [
  {
    operationId: 'updateOrganization',
    base: {},
    hidden: ['invoiceNotes'],
    send: (by, body) => by.patch('/v1/organization', body),
  },
  {
    operationId: 'createClient',
    base: {},
    hidden: ['phone', 'website', 'buyerReference', 'note', 'externalId'],
    send: (by, body) => by.post('/clients', body),
  },
  {
    operationId: 'createProduct',
    base: { price: '5', taxCategory: 'exempt' },
    hidden: ['sku', 'category', 'externalId'],
    send: (by, body) => by.post('/products', body),
  },
  {
    operationId: 'createProject',
    base: { rate: 60, tags: [''] },
    hidden: ['code', 'description', 'externalRef', 'color', 'tags.0'],
    send: (by, body, ids) => by.post('/v1/work/tracker/projects', { ...body, clientId: ids.createClient }),
  },
  {
    operationId: 'createEntry',
    base: { durationMinutes: 60, entryDate: DAY, tags: [''] },
    hidden: ['tags.0'],
    send: (by, body, ids) => by.post('/v1/work/tracker/entries', { ...body, projectId: ids.createProject }),
  },
  {
    operationId: 'createInvoice',
    base: {
      lineItems: [{ price: '10', taxCategory: 'export' }],
      timeEntries: { dateFrom: DAY, dateTo: DAY, groupBy: 'entry', taxCategory: 'reverse_charge' },
    },
    hidden: ['paymentUrl', 'externalId'],
    send: (by, body, ids) => {
      const { lineItems, ...terms }: Json = body;
      const lines = [...lineItems, { productId: ids.createProduct }];
      return by.post('/invoices', { ...terms, clientId: ids.createClient, lineItems: lines });
    },
  },
  {
    operationId: 'createPayment',
    base: { amount: '1.00' },
    hidden: [],
    send: (by, body, ids) => by.post(`/invoices/${ids.createInvoice}/payments`, body),
  },
];

/** The members that take free text, and how they take it. */
function textsOf({ operationId }: Source) {
  return membersOf(operationId).flatMap(({ path, schema }) => {
    // A format of numbers takes what it prints, and has tests of its own.
    if (schema.maxLength === undefined || path.endsWith('.format')) return [];
    const wrap = WRAPPERS[path] ?? ((text: string) => text);
    return [{ path, wrap, maxLength: Number(schema.maxLength), isName: schema.pattern === NAME_PATTERN }];
  });
}

/** For texts of a form. */
const WRAPPERS: Readonly<Record<string, (text: string) => string>> = {
  email: (text) => `${text}@x.yz`,
  website: (text) => `https://x.yz/${text}`,
  paymentUrl: (text) => `https://x.yz/${text}`,
};

/** Each with what a reader sees of it. None has a space: an e-mail address must not have one. */
const PRINTED = [
  ['markup', '<b>&amp;</b>)(\\', '<b>&amp;</b>)(\\'],
  ['overrides of direction, which no name takes', '\u202egnp\u202c\u2067.e\u2069', 'gnp.e'],
] as const;

describe('a hostile text', () => {
  it.each(PRINTED)('prints as text in every member: %s', async (_, text, seen) => {
    const ana = await given.user();
    const ids: Record<string, string> = {};
    const expected: string[] = [];
    for (const [number, source] of SOURCES.entries()) {
      const texts = textsOf(source).map(({ path, wrap, maxLength, isName }, position) => {
        // Names of organizations are unique.
        const mark = path === 'name' ? randomUUID().slice(0, 4) : String.fromCharCode(97 + number, 97 + position);
        const value = wrap(`${mark}${isName ? seen : text}`);
        expect([...value].length, `${source.operationId} ${path}`).toBeLessThanOrEqual(maxLength);
        if (!source.hidden.includes(path)) expected.push(wrap(`${mark}${seen}`));
        return [path, value] as const;
      });
      expect(texts.length).toBeGreaterThan(0);
      const reply = await source.send(ana, bodyWith(source.base, Object.fromEntries(texts)), ids);
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
      ids[source.operationId] = reply.body.data.id;
      if (source.operationId === 'createInvoice') await ana.post(`/invoices/${ids.createInvoice}/send`);
    }
    const printed = allText(await readPdf((await ana.get(`/invoices/${ids.createInvoice}/pdf`)).body));
    expect(expected.length).toBeGreaterThan(25);
    for (const part of expected) expect(printed).toContain(squeeze(part));
  });
});
