import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('GET /v1/organization', () => {
  it('shows an organization that has told nothing yet, to any valid key', async () => {
    const ana = await given.user({ scopes: ['products:read'], currency: 'CHF' });
    const reply = await ana.get('/v1/organization');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      data: {
        id: ana.organization.id,
        name: ana.organization.name,
        legalName: null,
        addressLine1: null,
        addressLine2: null,
        city: null,
        region: null,
        postalCode: null,
        countryCode: null,
        email: null,
        phone: null,
        website: null,
        taxNumber: null,
        vatNumber: null,
        electronicAddress: null,
        registrationNumber: null,
        bankDetails: null,
        iban: null,
        bic: null,
        accountName: null,
        contactName: null,
        paymentTermsDays: null,
        invoiceNotes: null,
        locale: null,
        taxRounding: 'line',
        rounding: null,
        chronologicalNumbers: false,
        lockedThrough: null,
        timeZone: null,
        accentColor: null,
        footer: null,
        printsHours: false,
        invoiceNumbering: { format: 'INV-{n:6}', next: 1 },
        creditNoteNumbering: { format: 'CN-{n:6}', next: 1 },
        currency: 'CHF',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: reply.body.data.createdAt,
      },
    });
    expect(Math.abs(Date.parse(reply.body.data.createdAt) - Date.now())).toBeLessThan(60_000);
  });
});
