import * as v from 'valibot';
import { component } from '#shared/contract/meaning.ts';
import { BIC_PATTERN, compactIban, isBic, isIban } from '#shared/domain/bank-account.ts';
import { isCountry } from '#shared/domain/country.ts';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';
import { isElectronicScheme } from '#shared/domain/electronic-address.ts';
import { nameText, plainText, text } from './fields.ts';
import { described, nullableText } from './meaning.ts';
import { matching, rule } from './rule.ts';

/** Details of clients and of the organization alike. */

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** Checks the form only. Only a message can tell whether the mailbox exists. */
const email = v.pipe(text(0, 254), matching('email', 'an e-mail address', EMAIL));

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

export const taxNumbers = {
  taxNumber: v.nullable(text(0, 50)),
  vatNumber: v.nullable(text(1, 50)),
};

/** Kept without spaces, in upper case. */
const iban = v.pipe(
  plainText,
  rule(
    'iban',
    'an IBAN with its right check digits',
    { pattern: '^(?:\\s*[A-Za-z0-9]){15,34}\\s*$', examples: ['DE02 1203 0000 0000 2020 51'] },
    isIban,
  ),
  v.transform(compactIban),
);

const bic = v.pipe(
  v.string(),
  rule(
    'bic',
    'a BIC (ISO 9362) of 8 or 11 letters and digits',
    { pattern: BIC_PATTERN, examples: ['BYLADEM1001'] },
    isBic,
  ),
);

export const bankAccount = {
  iban: v.nullable(iban),
  bic: v.nullable(bic),
  accountName: v.nullable(nameText(100)),
};

/** The code is compared as it is written. */
const scheme = v.pipe(
  v.string(),
  rule(
    'electronic_scheme',
    'a code of the EAS list that has four digits, or "EM"',
    { pattern: '^(?:\\d{4}|EM)$', examples: ['0204'] },
    isElectronicScheme,
  ),
);

const SCHEME_MEANING =
  'How to read the id, as a code of the list of electronic address schemes (EAS): `0204` for a Leitweg-ID, `9930` for a German VAT identification number, `EM` for an e-mail address.';
const ID_MEANING = 'The address in this scheme.';

const addressInput = component('ElectronicAddressInput', 'Where e-invoices are sent to, or from.', {
  scheme: described(scheme, SCHEME_MEANING),
  id: described(text(1, 100), ID_MEANING),
});

export const electronicAddress = v.nullable(addressInput);

export const eInvoiceFormat = v.picklist(E_INVOICE_FORMATS);

const shownContact = {
  email: nullableText('The e-mail address; null without one.'),
  phone: nullableText('The telephone number as it was sent; null without one.'),
  website: nullableText('A URL that begins with http:// or https://; null without one.'),
};

const shownAddress = {
  addressLine1: nullableText('Street and number; null without them.'),
  addressLine2: nullableText('A second line, such as a building; null without it.'),
  city: nullableText('Town or city; null without one.'),
  region: nullableText('State, province or county; null without one.'),
  postalCode: nullableText('Postal code; null without one.'),
  countryCode: nullableText(
    'The country as an ISO 3166-1 alpha-2 code in upper case; accepted in any case. Null without one.',
  ),
};

const shownTaxNumbers = {
  taxNumber: nullableText(
    'The number for sales tax, or that of the tax office; null without one. E-invoices identify a seller by it who has neither a VAT id nor a registration number.',
  ),
  vatNumber: nullableText('The VAT identification number, such as `DE123456789`; null without one.'),
};

const shownElectronicAddress = {
  electronicAddress: described(
    v.nullable(
      component('ElectronicAddress', 'Where e-invoices are sent to, or from.', {
        scheme: described(v.string(), SCHEME_MEANING),
        id: described(v.string(), ID_MEANING),
      }),
    ),
    'The electronic address of e-invoices, as XRechnung and Peppol need it; null without one.',
  ),
};

/** The customer of an invoice, beside the name. */
export const shownCustomer = {
  ...shownContact,
  contact: nullableText('The person to contact; null if nobody is named.'),
  ...shownAddress,
  ...shownTaxNumbers,
  buyerReference: nullableText(
    'The reference by which the customer finds who ordered, such as the Leitweg-ID of a German authority; null without one.',
  ),
  ...shownElectronicAddress,
  eInvoiceFormat: described(
    v.nullable(eInvoiceFormat),
    'The format of e-invoices that the customer takes: an invoice that cannot be one is not sent. Null: any invoice is.',
  ),
};

/** The seller on an invoice, beside the name. */
export const shownSeller = {
  legalName: nullableText('The registered name, if it differs; null without one.'),
  ...shownAddress,
  ...shownContact,
  ...shownTaxNumbers,
  ...shownElectronicAddress,
  registrationNumber: nullableText('The number in the register of companies; null without one.'),
  bankDetails: nullableText(
    'The account that customers pay to; may have several lines. An e-invoice has them as its terms of payment if there is no `iban`. Null without them.',
  ),
  iban: nullableText(
    'The account that customers pay to, without spaces; accepted with them, and in any case. Null without one.',
  ),
  bic: nullableText('The BIC of its bank (ISO 9362); null without one.'),
  accountName: nullableText('The owner of the account, if it is not the seller; null without one.'),
  contactName: nullableText('The person whom customers can ask about invoices; null if nobody is named.'),
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
  taxNumber: '22/815/08154',
  vatNumber: 'DE987654321',
  electronicAddress: { scheme: '9930', id: 'DE987654321' },
  registrationNumber: 'HRB 12345, Amtsgericht Hamburg',
  bankDetails: 'Please pay by bank transfer.',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  accountName: 'Acme Consulting GmbH',
  contactName: 'Ada Byron',
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
  taxNumber: null,
  vatNumber: 'DE123456789',
  buyerReference: 'Purchasing 4711',
  electronicAddress: { scheme: '9930', id: 'DE123456789' },
  eInvoiceFormat: null,
};
