import * as v from 'valibot';
import { isCountry } from '#shared/domain/country.ts';
import { text } from './fields.ts';
import { nullableText } from './meaning.ts';
import { rule } from './rule.ts';

/** Details of clients and of the organization alike. */

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

/** Converted to upper case. */
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

export const shownContact = {
  email: nullableText('The e-mail address; null without one.'),
  phone: nullableText('The telephone number as it was sent; null without one.'),
  website: nullableText('A URL that begins with http:// or https://; null without one.'),
};

export const shownAddress = {
  addressLine1: nullableText('Street and number; null without them.'),
  addressLine2: nullableText('A second line, such as a building; null without it.'),
  city: nullableText('Town or city; null without one.'),
  region: nullableText('State, province or county; null without one.'),
  postalCode: nullableText('Postal code; null without one.'),
  countryCode: nullableText(
    'The country as an ISO 3166-1 alpha-2 code in upper case; accepted in any case. Null without one.',
  ),
};

export const shownTaxNumber = nullableText('The number for sales tax or VAT; null without one.');

/** The seller on an invoice, beside the name. */
export const shownSeller = {
  legalName: nullableText('The registered name, if it differs; null without one.'),
  ...shownAddress,
  ...shownContact,
  taxNumber: shownTaxNumber,
  registrationNumber: nullableText('The number in the register of companies; null without one.'),
  bankDetails: nullableText('The account that customers pay to; may have several lines. Null without them.'),
};

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

export const exampleCustomer = {
  name: 'Northwind Traders',
  email: 'billing@northwind.example',
  phone: '+49 30 123456',
  website: 'https://northwind.example',
  contact: 'Ada Byron',
  addressLine1: 'Hafenstrasse 1',
  addressLine2: null,
  city: 'Berlin',
  region: null,
  postalCode: '10115',
  countryCode: 'DE',
  taxNumber: 'DE123456789',
};
