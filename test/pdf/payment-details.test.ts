import { describe, expect, it } from 'vitest';
import { drawn, PROFILE, printed } from './printed.ts';
import { readCode } from './read-code.ts';
import { allText, readPdf, squeeze } from './read-pdf.ts';

const ACCOUNT = {
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  accountName: 'Büro Łódź & Söhne 株式会社',
};

const SELLER = { ...PROFILE, ...ACCOUNT, bankDetails: null };

const DETAILS = ['IBAN DE02 1203 0000 0000 2020 51', 'BIC BYLADEM1001', ACCOUNT.accountName, 'Reference INV-000042'];

describe('the account to pay to', () => {
  it('stands in letters as large as those of the lines', async () => {
    const { pages } = await readPdf(await drawn(printed({ seller: SELLER })));
    const sizeOf = (start: string) => pages[0]?.texts.find(({ text }) => text.startsWith(start))?.size;
    expect(sizeOf('IBAN')).toBe(sizeOf('Website'));
    expect(sizeOf('BIC')).toBe(sizeOf('Website'));
  });
});

describe("the seller's own words about the account", () => {
  it('stand below the account under the same heading, without the lines that repeat it', async () => {
    const bankDetails = `IBAN: de02 1203 0000 0000 2020 51\nBIC BYLADEM1001\nPlease pay by transfer.`;
    const text = allText(await readPdf(await drawn(printed({ seller: { ...SELLER, bankDetails } }))));
    expect(text.split(squeeze('BANK DETAILS'))).toHaveLength(2);
    expect(text).toContain(
      squeeze(`BANK DETAILS ${ACCOUNT.accountName} ${DETAILS[0]} ${DETAILS[1]} ${DETAILS[3]} Please pay by transfer.`),
    );
  });
});

describe('the code to scan', () => {
  it('transfers what is due to the account, with the number of the invoice', async () => {
    const lines = ['BCD', '002', '1', 'SCT', ACCOUNT.bic, ACCOUNT.accountName, ACCOUNT.iban];
    expect(await readCode(await drawn(printed({ seller: SELLER })))).toBe(
      [...lines, 'EUR7119.25', '', '', 'INV-000042'].join('\n'),
    );
  });
});
