import * as v from 'valibot';
import { isCountry } from '#shared/domain/country.ts';
import { text } from './fields.ts';
import { rule } from './rule.ts';

/** What can be told of clients and of the organization alike: how to reach them, and where they are. */

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** Checks the form only. Only a message can tell whether the mailbox exists. */
const email = v.pipe(
  text(0, 254),
  rule('email', 'an e-mail address', { pattern: EMAIL.source }, (input: string) => EMAIL.test(input)),
);

const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** Front ends turn the website into a link, so only http and https are allowed. */
const website = v.pipe(
  text(0, 255),
  rule(
    'url',
    'a URL that begins with http:// or https://',
    { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' },
    (input: string) => WEB_ADDRESS.test(input) && URL.canParse(input),
  ),
);

/** In any case; converted to upper case. */
const countryCode = v.pipe(
  v.string(),
  rule('country', 'an ISO 3166-1 alpha-2 country code', { pattern: '^[A-Za-z]{2}$', examples: ['DE'] }, isCountry),
  v.toUpperCase(),
);

export const contactDetails = {
  email: v.nullable(email),
  phone: v.nullable(text(0, 50)),
  website: v.nullable(website),
};

export const addressDetails = {
  addressLine1: v.nullable(text(0, 255)),
  addressLine2: v.nullable(text(0, 255)),
  city: v.nullable(text(0, 100)),
  region: v.nullable(text(0, 100)),
  postalCode: v.nullable(text(0, 20)),
  countryCode: v.nullable(countryCode),
};

export const taxNumber = v.nullable(text(0, 50));

/** Who sends the invoices of the examples. */
export const exampleSeller = {
  name: 'Acme',
  legalName: 'Acme Consulting GmbH',
  addressLine1: 'Lindenallee 12',
  addressLine2: 'Hinterhaus',
  city: 'Hamburg',
  region: 'Hamburg',
  postalCode: '20095',
  countryCode: 'DE',
  email: 'billing@acme.example',
  phone: '+49 40 123456',
  website: 'https://acme.example',
  taxNumber: 'DE987654321',
  registrationNumber: 'HRB 12345, Amtsgericht Hamburg',
  bankDetails: 'IBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001',
};
