import { describe, expect, it } from 'vitest';
import { bankTextOf, epcText, paymentDetailsOf, paymentUrlOf } from '#shared/domain/invoices/payment-details.ts';
import type { InvoiceStatus } from '#shared/domain/invoices/steps.ts';
import { type Seller, sellerOf } from '#shared/domain/organization/organization.ts';
import { organizationOf } from '#test/support/organization.ts';

const IBAN = 'DE02120300000000202051';
const BIC = 'BYLADEM1001';

const nameless = sellerOf(organizationOf());

const payable = (seller: Partial<Seller>, amountDue = '12.50', status: InvoiceStatus = 'sent') => ({
  status,
  number: 'INV-000042',
  currency: 'EUR',
  amountDue,
  paymentUrl: 'https://bücher.example/1',
  seller: { ...nameless, ...seller },
});

describe('where to pay an invoice', () => {
  it.each<[Partial<Seller>, object]>([
    [{ iban: IBAN }, { accountName: 'Acme', iban: IBAN, bic: null }],
    [
      { bic: BIC, legalName: 'Acme SE' },
      { accountName: 'Acme SE', iban: null, bic: BIC },
    ],
    [
      { accountName: 'Own', legalName: 'Acme SE' },
      { accountName: 'Own', iban: null, bic: null },
    ],
  ])('is an account as soon as %j of it is known, with the number of the invoice', (seller, account) => {
    expect(paymentDetailsOf(payable(seller))).toEqual({ ...account, reference: 'INV-000042' });
  });

  it('is nowhere without an account, a number or something due', () => {
    expect(paymentDetailsOf(payable({ legalName: 'Acme SE' }))).toBeNull();
    expect(paymentDetailsOf({ ...payable({ iban: IBAN }), number: null })).toBeNull();
    expect(paymentDetailsOf({ ...payable({ iban: IBAN }), status: 'paid' })).toBeNull();
    expect(paymentDetailsOf(payable({ iban: IBAN }, '0.00'))).toBeNull();
    expect(paymentDetailsOf(payable({ iban: IBAN }, '0.01'))).not.toBeNull();
  });

  it('is a link in ASCII while something is due', () => {
    expect(paymentUrlOf(payable({}))).toBe('https://xn--bcher-kva.example/1');
    expect(paymentUrlOf({ ...payable({}), paymentUrl: null })).toBeNull();
    expect(paymentUrlOf(payable({}, '0.00'))).toBeNull();
  });

  const words = [`iban: ${IBAN}`, IBAN, BIC, `BIC: ${BIC}`, 'Thank you', '', `Only to ${IBAN}`].join('\n');
  const rest = `Thank you\n\nOnly to ${IBAN}`;

  it.each<[string, Partial<ReturnType<typeof payable>>, Partial<Seller>, string | null]>([
    ['as they are without an account', {}, { bankDetails: words }, words],
    ['without the account that they repeat', {}, { iban: IBAN, bic: BIC, bankDetails: words }, rest],
    ['as they are on a draft', { status: 'draft' }, { iban: IBAN, bic: BIC, bankDetails: words }, words],
    ['none where they only repeat it', {}, { iban: IBAN, bankDetails: IBAN }, null],
    ['none where the seller has none', {}, { iban: IBAN }, null],
    ['none where nothing is due', { amountDue: '0.00' }, { bankDetails: words }, null],
  ])('is told in the words of the seller, %s', (_, changes, seller, expected) => {
    expect(bankTextOf({ ...payable(seller), ...changes })).toBe(expected);
  });

  const codeOf = (seller: Partial<Seller>, amountDue?: string) => epcText(payable(seller, amountDue));

  it('is a code of eleven lines for banking apps', () => {
    const lines = ['BCD', '002', '1', 'SCT', BIC, 'A B', IBAN, 'EUR12.50', '', '', 'INV-000042'];
    expect(codeOf({ iban: IBAN, bic: BIC, accountName: ' A \n B ' })).toBe(lines.join('\n'));
    expect(
      codeOf({ iban: IBAN, accountName: '𝒜'.repeat(71) })
        ?.split('\n')
        .slice(4, 6),
    ).toEqual(['', '𝒜'.repeat(70)]);
    expect(codeOf({ iban: IBAN }, '999999999.99')).toContain('EUR999999999.99');
  });

  it('is no code without an IBAN, in another currency, or of a billion', () => {
    expect(codeOf({ bic: BIC })).toBeNull();
    expect(codeOf({ legalName: 'Acme SE' })).toBeNull();
    expect(epcText({ ...payable({ iban: IBAN }), currency: 'CHF' })).toBeNull();
    expect(codeOf({ iban: IBAN }, '1000000000.00')).toBeNull();
  });
});
