import { describe, expect, it } from 'vitest';
import { filled } from '#test/support/filled.ts';
import { given } from '#test/support/given.ts';

describe('GET /v1/organization', () => {
  it('shows an organization that has told nothing yet, to any valid key', async () => {
    const ana = await given.user({ scopes: ['products:read'], currency: 'CHF' });
    const reply = await ana.get('/v1/organization');
    expect(reply.status).toBe(200);
    expect(filled(reply.body.data)).toEqual({
      id: ana.organization.id,
      name: ana.organization.name,
      taxRounding: 'line',
      chronologicalNumbers: false,
      printsHours: false,
      invoiceNumbering: { format: 'INV-{n:6}', next: 1 },
      creditNoteNumbering: { format: 'CN-{n:6}', next: 1 },
      currency: 'CHF',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: reply.body.data.createdAt,
    });
    expect(Math.abs(Date.parse(reply.body.data.createdAt) - Date.now())).toBeLessThan(60_000);
  });
});
