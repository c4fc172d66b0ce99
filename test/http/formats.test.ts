import { describe, expect, it } from 'vitest';
import { FILLED_TEXT_PATTERN, NAME_PATTERN, TEXT_PATTERN } from '#shared/contract/fields.ts';
import { bodyMembers, codesFor } from '#test/support/body-members.ts';
import type { Member } from '#test/support/schema-members.ts';

/**
 * What no JSON Schema says of a value with a form: each member of each body that has the form takes and refuses the same.
 * That missing members, and those of another type, length or range are refused is in `test/openapi/refusals.test.ts`, and
 * what free texts may have in `texts.test.ts`.
 */

interface Form {
  /** One of the members that have it, and how many there are. */
  readonly of: readonly [member: string, count: number];
  readonly taken: readonly unknown[];
  readonly refused: Readonly<Record<string, readonly unknown[]>>;
}

const FORMS: Readonly<Record<string, Form>> = {
  'a decimal': {
    of: ['createProduct price', 10],
    taken: ['0.000001', '19.90', '999999999999.999999', '007.50'],
    refused: { decimal: ['-1', '.5', '1.', '+1', '1e3', '1,000', '', '1234567890123', '1.1234567'] },
  },
  'a percentage': {
    of: ['createInvoice discountPercent', 7],
    taken: ['0', '7.70', '33.333333', '100.000000'],
    refused: { decimal: ['100.000001', '101', '-0.1', '0.0000001', '1e1', ''] },
  },
  'a rate': {
    of: ['createEntry rate', 11],
    taken: [0, 0.000001, 95.5, 999_999_999_999, '095.50', '123456789012.123456'],
    refused: {
      rate: [-1, -0.000001, 0.0000001, 1.1234567, 1e12, 1e300],
      decimal: ['-1', '.5', '5.', '80,5', '1e2', '1234567890123', 'free', ''],
      type: [true, [80]],
    },
  },
  'a currency': {
    of: ['createProduct currency', 13],
    taken: ['USD', 'eur'],
    refused: { currency: ['AAA', 'XYZW', 'BTC1', 'EURO', '', 'eu'] },
  },
  'a country': {
    of: ['createClient countryCode', 3],
    taken: ['DE', 'dE'],
    refused: { country: ['XX', 'UK', 'DEU', ''] },
  },
  'an address of mail': {
    of: ['createClient email', 3],
    taken: ['a@example.com', 'jürgen+rechnung@müller.example'],
    refused: { email: ['nobody', 'a@b', 'a@@example.com', 'a b@example.com', 'a@example..com', ''] },
  },
  'the address of a user': {
    of: ['createUser email', 3],
    taken: ['Cem@Acme.example', ' bea@acme.example '],
    refused: {
      email: [
        'nobody',
        `${'x'.repeat(65)}@acme.example`,
        `bea@${'x'.repeat(64)}.example`,
        'bea@acme.example\r\nBcc: eve@acme.example',
      ],
      length: ['', `bea@${'x.'.repeat(126)}example`],
    },
  },
  'an electronic address': {
    of: ['createClient electronicAddress', 3],
    taken: [
      { scheme: 'EM', id: 'x' },
      { scheme: '0204', id: '😀'.repeat(100) },
    ],
    refused: {
      type: ['EM:ada@example.com'],
      required: [{ id: 'x' }, { scheme: 'EM' }],
      length: ['', 'x'.repeat(101)].map((id) => ({ scheme: 'EM', id })),
      electronic_scheme: 'em AN 9999 9906 204 02040'
        .split(' ')
        .concat('', ' 0204')
        .map((scheme) => ({ scheme, id: 'x' })),
    },
  },
  'an address of the web': {
    of: ['createClient website', 3],
    taken: ['https://acme.example', 'HTTP://EXAMPLE.com:8080/?a=b#c'],
    refused: {
      url: ['example.com', 'javascript:alert(1)', 'ftp://example.com', 'https://', 'https://a b.example'],
    },
  },
  'a time zone': {
    of: ['createUser timeZone', 5],
    taken: ['UTC', 'Asia/Kathmandu'],
    refused: {
      time_zone: ['Mars/Olympus', '+01:00', '', '../etc/passwd', 'x'.repeat(65), '\u{1d160}'.repeat(64)],
    },
  },
  'an IBAN': {
    of: ['updateOrganization iban', 1],
    taken: ['DE02120300000000202051', ' de02 1203\u00a00000 0000 2020 51 '],
    refused: { iban: ['DE03120300000000202051', ''] },
  },
  'a BIC': {
    of: ['updateOrganization bic', 1],
    taken: ['BYLADEM1', 'BYLADEM1001'],
    refused: { bic: ['BYLADEM', ''] },
  },
  'a day': {
    of: ['createPayment date', 22],
    taken: ['2024-02-29'],
    refused: { date: ['2026-02-30', '2026-13-01', '20.11.2026', '2026-11-20T00:00:00Z', ''] },
  },
  'a day of work': {
    of: ['createEntry entryDate', 2],
    taken: ['1900-01-01', '9998-12-30', '2026-10-02T00:00Z', '2026-10-02T00:00:00.000Z', '2026-10-02T00:00:00+00:00'],
    refused: {
      date: [
        '2026-02-29',
        '2026-11-20T09:00:00Z',
        '2026-11-20T00:00:00+01:00',
        '2026-11-20T00:00:00.000',
        '2026-02-30T00:00:00.000Z',
      ],
      range: ['1899-12-31', '9998-12-31', '9998-12-31T00:00:00.000Z'],
    },
  },
  'a time of day': {
    of: ['createEntry startTime', 4],
    taken: ['00:00', '23:59'],
    refused: { time: ['24:00', '9:30', '09:60', ''] },
  },
  'an instant': {
    of: ['updateTimer startedAt', 1],
    taken: ['2026-11-22T20:30:00-08:00', '2026-11-22T20:30Z'],
    refused: {
      instant: [
        '2026-11-22',
        '2026-11-22T20:30:00',
        '2026-02-30T20:30:00Z',
        '2026-11-22T24:00:00Z',
        '2026-11-22T20:30:00+24:00',
      ],
    },
  },
  'the code of an invitation': {
    of: ['linkMe code', 1],
    taken: [`inv_${'a'.repeat(43)}`],
    refused: {
      invitation_code: [
        `inv_${'a'.repeat(42)}`,
        `inv_${'a'.repeat(44)}`,
        `inv_${'a'.repeat(42)}+`,
        'a'.repeat(47),
        `inv_${'a'.repeat(43)}\n`,
      ],
    },
  },
};

/** Lengths and descriptions are those of the member. */
const formOf = ({ pattern, format, anyOf }: Member['schema']) => JSON.stringify([pattern, format, anyOf]);

describe.each(Object.entries(FORMS))('%s', (_, { of: [sample, count], taken, refused }) => {
  const form = bodyMembers.filter(({ title }) => title === sample).map(({ schema }) => formOf(schema))[0];
  const having = bodyMembers.filter(({ schema }) => formOf(schema) === form);

  it('is the form of these members', () => expect(having).toHaveLength(count));

  it.each(having)('is taken, and nothing else: $title', (member) => {
    for (const value of taken) expect(codesFor(member, value), JSON.stringify(value)).toEqual([]);
    for (const [code, values] of Object.entries(refused)) {
      for (const value of values) expect(codesFor(member, value), JSON.stringify(value)).toContain(code);
    }
  });
});

const choices = bodyMembers.filter(({ schema: { anyOf } }) => Array.isArray(anyOf) && anyOf.some((each) => each.enum));

describe('one of some values, or null', () => {
  it('is found in every area', () => expect(choices.length).toBeGreaterThan(8));

  it.each(choices)('is no other: $title', (member) => {
    for (const value of ['none of them', 'DE', 'de-DE', '', 7]) expect(codesFor(member, value)).toEqual(['enum']);
  });
});

function limitsOf({ maxLength, pattern, minimum, maximum }: Member['schema']): readonly unknown[] {
  const isFree = [TEXT_PATTERN, FILLED_TEXT_PATTERN, NAME_PATTERN].some((free) => free === pattern);
  const longest = isFree && typeof maxLength === 'number' ? ['x', '😀'].map((each) => each.repeat(maxLength)) : [];
  return [...longest, minimum, maximum].filter((limit) => limit !== undefined);
}

const limited = bodyMembers.filter(({ schema }) => limitsOf(schema).length > 0);

it.each(limited)('what is at its limit is taken: $title', (member) => {
  for (const limit of limitsOf(member.schema)) expect(codesFor(member, limit)).toEqual([]);
});
