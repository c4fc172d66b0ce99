import type { PostalAddress } from '#shared/domain/details.ts';

/** The order of each country, from its post and the Universal Postal Union. A null part drops its line or separator. */

const STREET = ['{addressLine1}', '{addressLine2}'];

const TOWN_FIRST = ['{postalCode} {city}', '{region}'];

/** Other countries write the postal code before the city, and the region below. */
const LINES_BELOW_STREET: Readonly<Record<string, readonly string[]>> = {
  AE: ['{city}', '{region}', '{postalCode}'],
  AU: ['{city} {region} {postalCode}'],
  BD: ['{city} - {postalCode}', '{region}'],
  BH: ['{city} {postalCode}', '{region}'],
  BR: ['{city} - {region}', '{postalCode}'],
  CA: ['{city} {region} {postalCode}'],
  CN: ['{city}', '{region} {postalCode}'],
  CO: ['{city}, {region}, {postalCode}'],
  EG: ['{city}', '{region}', '{postalCode}'],
  ES: ['{postalCode} {city}', '{region}'],
  GB: ['{city}', '{region}', '{postalCode}'],
  HK: ['{city}', '{region}', '{postalCode}'],
  ID: ['{city}', '{region} {postalCode}'],
  IE: ['{city}', '{region}', '{postalCode}'],
  IL: ['{city} {postalCode}', '{region}'],
  IN: ['{city} {postalCode}', '{region}'],
  IQ: ['{city}, {region}', '{postalCode}'],
  IT: ['{postalCode} {city} {region}'],
  JO: ['{city} {postalCode}', '{region}'],
  JP: ['{city}, {region} {postalCode}'],
  KE: ['{city}', '{region}', '{postalCode}'],
  KR: ['{city}, {region} {postalCode}'],
  LB: ['{city} {postalCode}', '{region}'],
  LK: ['{city}', '{region}', '{postalCode}'],
  LV: ['{city}, {postalCode}', '{region}'],
  MX: ['{postalCode} {city}, {region}'],
  NG: ['{city} {postalCode}', '{region}'],
  NP: ['{city} {postalCode}', '{region}'],
  NZ: ['{city} {postalCode}', '{region}'],
  OM: ['{postalCode}', '{city}', '{region}'],
  PE: ['{city} {postalCode}', '{region}'],
  PK: ['{city}-{postalCode}', '{region}'],
  RU: ['{city}', '{region}', '{postalCode}'],
  SA: ['{city} {postalCode}', '{region}'],
  SG: ['{city} {postalCode}', '{region}'],
  TH: ['{city}', '{region} {postalCode}'],
  TR: ['{postalCode} {city}/{region}'],
  TW: ['{city}, {region} {postalCode}'],
  UA: ['{city}', '{region}', '{postalCode}'],
  US: ['{city}, {region} {postalCode}'],
  VN: ['{city}', '{region} {postalCode}'],
  ZA: ['{city}', '{region}', '{postalCode}'],
};

/** Hungary puts the town first; East Asia, in its own writing, the largest part. */
const WHOLE_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  HU: ['{city}', ...STREET, '{postalCode}', '{region}'],
};

const ADDRESSES_IN_OWN_WRITING: Readonly<Record<string, readonly string[]>> = {
  CN: ['{postalCode}', '{region}{city}', ...STREET],
  HK: ['{region}{city}', ...STREET, '{postalCode}'],
  JP: ['〒{postalCode}', '{region}{city}{addressLine1}', '{addressLine2}'],
  KR: ['{region} {city} {addressLine1}', '{addressLine2}', '{postalCode}'],
  TW: ['{postalCode}', '{region}{city}', ...STREET],
};

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export function addressLines(address: PostalAddress): string[] {
  return formatOf(address)
    .map((line) => filled(line, address))
    .filter((line) => line !== '');
}

function formatOf(address: PostalAddress): readonly string[] {
  const { countryCode, addressLine1, city, region } = address;
  const country = countryCode ?? '';
  const ownWriting = [addressLine1, city, region].some((part) => part !== null && EAST_ASIAN.test(part));
  return (
    (ownWriting ? ADDRESSES_IN_OWN_WRITING[country] : undefined) ??
    WHOLE_ADDRESSES[country] ?? [...STREET, ...(LINES_BELOW_STREET[country] ?? TOWN_FIRST)]
  );
}

const PART = /\{(\w+)\}/;

/** Text before the first part of a line belongs to that part; text between two parts separates them. */
function filled(line: string, { countryCode: _, ...address }: PostalAddress): string {
  const values: Readonly<Record<string, string | null>> = address;
  // Texts and names of parts in turn.
  const pieces = line.split(PART);
  let text = '';
  for (let i = 1; i < pieces.length; i += 2) {
    const value = values[pieces[i] ?? '']?.trim() ?? '';
    if (value !== '') text = i === 1 || text !== '' ? `${text}${pieces[i - 1]}${value}` : value;
  }
  return text;
}
