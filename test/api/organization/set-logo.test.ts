import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_LOGO_BYTES } from '#shared/domain/organization/logo.ts';
import { allOf, readStructure } from '#test/pdf/read-structure.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { chunk, jpeg, png } from '#test/support/pictures.ts';

const PATH = '/v1/organization/logo';
const PNG = png({ width: 60, height: 20 });
const JPEG = jpeg({ columns: 4, rows: 2 });

const put = (by: User, rawBody: Uint8Array, type = 'image/png', headers = {}) =>
  by.send('PUT', PATH, { rawBody: new Uint8Array(rawBody), headers: { 'content-type': type, ...headers } });

/** How many pictures the document has in its head. */
async function figuresIn(by: User, path: string, query = {}): Promise<number> {
  const { root } = await readStructure((await by.get(`${path}/pdf`, query)).body);
  return allOf(root, 'Figure').length;
}

describe('PUT /v1/organization/logo', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user({ currency: 'EUR' });
  });

  it('keeps the picture byte for byte, and each one leaves an event', async () => {
    const after = await presentEnd(ana);
    const made = await put(ana, PNG);
    expect([made.status, made.body.data]).toEqual([200, { contentType: 'image/png', width: 60, height: 20 }]);
    expect([made.headers.get('etag'), made.headers.get('billwright-ignored')]).toEqual([null, null]);
    const read = await ana.get(PATH);
    expect([read.status, read.headers.get('content-type'), read.headers.get('etag')]).toEqual([200, 'image/png', null]);
    expect(Buffer.from(read.body)).toEqual(PNG);
    const again = await put(ana, PNG);
    expect(again.body).toEqual(made.body);
    expect((await put(ana, gzipSync(JPEG), 'Image/JPEG; q=1', { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(Buffer.from((await ana.get(PATH)).body)).toEqual(JPEG);
    const organization = (await ana.get('/v1/organization')).body.data;
    expect(JSON.stringify(organization)).not.toContain('logo');
    expect(await ana.delete(PATH)).toMatchObject({ status: 200, body: { success: true, id: organization.id } });
    for (const { status } of [await ana.get(PATH), await ana.delete(PATH)]) expect(status).toBe(404);
    const updated = ['organization.updated', { type: 'organization', id: organization.id }];
    expect(await happenedSince(ana, after)).toEqual([updated, updated, updated]);
  });

  it('takes 256 KiB, and neither more nor another type, nothing, or what is no picture', async () => {
    const room = MAX_LOGO_BYTES - png({ width: 4, height: 4, chunks: [chunk('teXt')] }).length;
    const filled = png({ width: 4, height: 4, chunks: [chunk('teXt', Buffer.alloc(room))] });
    expect(filled).toHaveLength(262_144);
    expect((await put(ana, filled)).status).toBe(200);
    const refusals: [bytes: Uint8Array, type: string, status: number, code: string][] = [
      [Buffer.concat([filled, Buffer.from([0])]), 'image/png', 413, 'payload_too_large'],
      [PNG, 'image/svg+xml', 415, 'unsupported_media_type'],
      [JPEG, 'image/png', 422, 'validation_failed'],
    ];
    for (const [bytes, type, status, code] of refusals) {
      const reply = await put(ana, bytes, type);
      expect([reply.status, reply.body.code], `${type} of ${bytes.length} bytes`).toEqual([status, code]);
    }
    expect(Buffer.from((await ana.get(PATH)).body)).toEqual(filled);
  });

  it('is drawn on a draft as it is, and stays on what was sent, also on its credit notes', {
    timeout: 60_000,
  }, async () => {
    const bob = await given.user({ currency: 'EUR' });
    const draft = await given.eInvoiceDraft(bob);
    expect(await figuresIn(bob, `/invoices/${draft.id}`)).toBe(0);
    await put(bob, PNG);
    expect(await figuresIn(bob, `/invoices/${draft.id}`)).toBe(1);
    const sent = await given.eInvoice(bob, { clientId: draft.clientId });
    const pdf = async () => (await bob.get(`/invoices/${sent.id}/pdf`)).body;
    const before = await pdf();
    await put(bob, JPEG, 'image/jpeg');
    expect(await pdf()).toEqual(before);
    await bob.delete(PATH);
    expect(await pdf()).toEqual(before);
    expect(await figuresIn(bob, `/invoices/${sent.id}`, { profile: 'factur-x' })).toBe(1);
    expect(await figuresIn(bob, `/invoices/${draft.id}`)).toBe(0);
    const { id } = await given.creditNote(bob, sent.id);
    expect(await figuresIn(bob, `/credit-notes/${id}`)).toBe(1);
    expect(await figuresIn(bob, `/credit-notes/${id}`, { profile: 'factur-x' })).toBe(1);
    const ofNow = await given.eInvoice(bob, { clientId: draft.clientId });
    expect(await figuresIn(bob, `/invoices/${ofNow.id}`)).toBe(0);
  });
});
