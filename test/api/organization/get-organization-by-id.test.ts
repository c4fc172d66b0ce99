import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('GET /v1/organizations/{id}', () => {
  it('shows an organization as it shows itself, but for its numbers, with its status', async () => {
    const ana = await given.user();
    const platform = await given.platform(['organizations:read']);
    const { status, body } = await platform.get(`/v1/organizations/${ana.organization.id}`);
    const { invoiceNumbering: _, creditNoteNumbering: __, ...own } = (await ana.get('/v1/organization')).body.data;
    expect({ status, body }).toEqual({ status: 200, body: { data: { ...own, status: 'active' } } });
  });

  it('answers 404 to an id that no organization has', async () => {
    const platform = await given.platform();
    for (const id of [randomUUID(), 'acme', '00000000-0000-0000-0000-000000000000']) {
      expect((await platform.get(`/v1/organizations/${id}`)).status).toBe(404);
    }
  });
});
