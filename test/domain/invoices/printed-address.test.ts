import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PostalAddress } from '#shared/domain/details.ts';
import { addressLines } from '#shared/domain/invoices/printed-address.ts';

const NOTHING: PostalAddress = {
  addressLine1: null,
  addressLine2: null,
  city: null,
  region: null,
  postalCode: null,
  countryCode: null,
};

const countries = fc.constantFrom('US', 'DE', 'GB', 'JP', 'BR', 'IN', 'MX', 'TR', 'HU', null);
const text = fc.option(fc.stringMatching(/^[a-z0-9]{1,8}$/));

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

describe('the lines of an address', () => {
  it.each([
    ['US', ['1 Main St', 'Suite 5', 'Springfield, OR 12345']],
    ['CA', ['1 Main St', 'Suite 5', 'Springfield OR 12345']],
    ['GB', ['1 Main St', 'Suite 5', 'Springfield', 'OR', '12345']],
    ['DE', ['1 Main St', 'Suite 5', '12345 Springfield', 'OR']],
    ['IT', ['1 Main St', 'Suite 5', '12345 Springfield OR']],
    ['BR', ['1 Main St', 'Suite 5', 'Springfield - OR', '12345']],
    ['SA', ['1 Main St', 'Suite 5', 'Springfield 12345', 'OR']],
    ['HU', ['Springfield', '1 Main St', 'Suite 5', '12345', 'OR']],
    ['JP', ['1 Main St', 'Suite 5', 'Springfield, OR 12345']],
    [null, ['1 Main St', 'Suite 5', '12345 Springfield', 'OR']],
  ])('are those of the country: %s', (countryCode, lines) => {
    const address = {
      addressLine1: '1 Main St',
      addressLine2: 'Suite 5',
      city: 'Springfield',
      region: 'OR',
      postalCode: '12345',
      countryCode,
    };
    expect(addressLines(address)).toEqual(lines);
  });

  it('begin with the largest part where East Asia writes in its own writing', () => {
    const tokyo = { addressLine1: '丸の内2-4-1', addressLine2: '丸ビル', city: '千代田区', region: '東京都' };
    expect(addressLines({ ...tokyo, postalCode: '100-6320', countryCode: 'JP' })).toEqual([
      '〒100-6320',
      '東京都千代田区丸の内2-4-1',
      '丸ビル',
    ]);
    const seoul = { ...NOTHING, addressLine1: '세종대로 110', city: '중구', region: '서울특별시' };
    expect(addressLines({ ...seoul, postalCode: '04524', countryCode: 'KR' })).toEqual([
      '서울특별시 중구 세종대로 110',
      '04524',
    ]);
  });

  it.each([
    ['丸の内', 'Chiyoda', 'Tokyo', ['TokyoChiyoda丸の内']],
    ['Marunouchi', '千代田区', 'Tokyo', ['Tokyo千代田区Marunouchi']],
    ['Marunouchi', 'Chiyoda', '東京都', ['東京都ChiyodaMarunouchi']],
  ])('are in its own writing as soon as one part is: %s, %s, %s', (addressLine1, city, region, lines) => {
    expect(addressLines({ ...NOTHING, addressLine1, city, region, countryCode: 'JP' })).toEqual(lines);
  });

  it('have no separator beside what is missing', () => {
    expect(addressLines({ ...NOTHING, city: 'Springfield', countryCode: 'US' })).toEqual(['Springfield']);
    expect(addressLines({ ...NOTHING, region: 'OR', postalCode: '12345', countryCode: 'US' })).toEqual(['OR 12345']);
    expect(addressLines({ ...NOTHING, region: '東京都', countryCode: 'JP' })).toEqual(['東京都']);
    expect(addressLines({ ...NOTHING, city: ' Springfield ', region: ' ', countryCode: 'US' })).toEqual([
      'Springfield',
    ]);
    expect(addressLines(NOTHING)).toEqual([]);
  });

  it.each([
    ['in Latin letters', ['1 Main St', 'Suite 5', 'Springfield', 'OR', '12345']],
    ['in its own writing', ['丸の内', '丸ビル', '千代田区', '東京都', '100-6320']],
  ])('leave nothing out in any country, %s', (_, parts) => {
    const [addressLine1 = '', addressLine2 = '', city = '', region = '', postalCode = ''] = parts;
    for (const countryCode of COUNTRIES) {
      const all = addressLines({ addressLine1, addressLine2, city, region, postalCode, countryCode }).join('\n');
      for (const part of parts) expect(all.split(part), countryCode).toHaveLength(2);
    }
  });

  it('hold every part once, whatever is missing', () => {
    fc.assert(
      fc.property(text, text, text, text, text, countries, (line1, line2, city, region, postalCode, countryCode) => {
        const parts = [line1 && `a${line1}`, line2 && `b${line2}`, city && `c${city}`, region && `d${region}`];
        const [addressLine1 = null, addressLine2 = null, ownCity = null, ownRegion = null] = parts;
        const lines = addressLines({
          addressLine1,
          addressLine2,
          city: ownCity,
          region: ownRegion,
          postalCode: postalCode && `e${postalCode}`,
          countryCode,
        });
        const words = lines.join(' ').split(/[ ,/-]+/);
        expect(words.filter((word) => word !== '').toSorted()).toEqual(
          [...parts, postalCode && `e${postalCode}`].filter((part) => part !== null).toSorted(),
        );
      }),
    );
  });
});
