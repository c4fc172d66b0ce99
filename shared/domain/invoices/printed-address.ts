import type { PostalAddress } from '#shared/domain/details.ts';
import formats from './address-formats.json' with { type: 'json' };

/**
 * The order of each country, from its post and the Universal Postal Union. A null part drops its line or separator. Most
 * countries differ only below the street; Hungary puts the town first, and East Asia, in its own writing, the largest part.
 */
const { belowStreet, whole, inOwnWriting }: Readonly<Record<keyof typeof formats, Formats>> = formats;

type Formats = Readonly<Record<string, readonly string[]>>;

const STREET = ['{addressLine1}', '{addressLine2}'];

/** Where no other order is known. */
const TOWN_FIRST = ['{postalCode} {city}', '{region}'];

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
    (ownWriting ? inOwnWriting[country] : undefined) ??
    whole[country] ?? [...STREET, ...(belowStreet[country] ?? TOWN_FIRST)]
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
