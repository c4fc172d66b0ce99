import * as v from 'valibot';
import { exampleSeller, shownSeller } from '#shared/contract/details.ts';
import { currency, date, integer, timestamp, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import { resource } from '#shared/contract/tagged.ts';
import { taxRounding } from '#shared/contract/tax.ts';
import { timeRounding } from '#shared/contract/time-rounding.ts';
import { LOCALES } from '#shared/domain/locale.ts';
import { DEFAULT_FORMATS } from '#shared/domain/organization/numbering.ts';

const id = described(uuid, 'The id of the organization.');

export const defaultCurrency = described(
  currency,
  'The default currency of products, projects and invoices, as an ISO 4217 code. It stays once an invoice was sent.',
);

export const locale = described(v.nullable(v.picklist(LOCALES)), 'The language of invoices; null counts as `en`.');

export const formatMeaning =
  'Printable characters with one `{n}`, or `{n:4}` for four digits at least, and at most one each of `{yyyy}`, `{yy}` and `{mm}` of the `issueDate`; `{mm}` needs a year. With a year, numbers count by year, with a month by month, from 1.';

export const nextMeaning =
  'The `n` of the next document of today. It can be raised up to 999,999,999, and never lowered.';

function numbering(documents: string, byDefault: string) {
  return v.pipe(
    v.object({
      format: described(v.string(), formatMeaning),
      next: described(
        v.nullable(v.pipe(integer, v.minValue(1))),
        `${nextMeaning} Null: the series has ended with that.`,
      ),
    }),
    v.description(
      `How ${documents} are numbered: by default, and if null is sent, \`${byDefault}\`. Another format without a year goes on with \`n\`. Another one with a year begins at 1 for today, even where it was used before, and goes on in its other years or months. Numbers that were given stay.`,
    ),
  );
}

export const organization = resource(
  'Organization',
  'The seller, and the owner of all resources that its keys reach.',
  {
    id,
    name: described(v.string(), 'Unique in the service, ignoring case and spaces. Surrounding space is removed.'),
    ...shownSeller,
    paymentTermsDays: described(
      v.nullable(integer),
      'Days from the issue of an invoice to its due date; null: invoices have no due date by default.',
    ),
    invoiceNotes: nullableText('The default notes of invoices; may have several lines. Null without them.'),
    locale,
    taxRounding: described(
      taxRounding,
      'How new invoices round tax: `line` (by default, and if null is sent), each line and then their sum; or `rate`, as e-invoices need it, the base of each category and rate times the rate.',
    ),
    rounding: described(
      timeRounding,
      'How the time of each billable entry is rounded that is written from now on, unless its project has a rule of its own; null: it is not.',
    ),
    chronologicalNumbers: described(
      v.boolean(),
      'Whether numbers of invoices, and those of credit notes, are in the order of their dates: an earlier date than that of the last number is then refused. By default, and if null is sent, they are not.',
    ),
    timeZone: nullableText('The zone of its days, as an IANA name; null counts as UTC.'),
    accentColor: nullableText(
      'The colour of rules, title and amount in a PDF, as `#rrggbb`. Text that would be too pale on white is darker, with a contrast of 4.5 to 1. Null: a blue, with a black title. An invoice that was sent keeps its own, as its credit notes do.',
    ),
    footer: nullableText(
      'Up to three lines at the foot of each page of a PDF. An invoice that was sent keeps its own, as its credit notes do. Null without them.',
    ),
    printsHours: described(
      v.boolean(),
      'Whether the PDF of an invoice has a table of the entries behind each line of time where the request does not say: `hours` of the PDF tells when there is none all the same. By default, and if null is sent, it has none.',
    ),
    invoiceNumbering: numbering('invoices', DEFAULT_FORMATS.INVOICE),
    creditNoteNumbering: numbering('credit notes', DEFAULT_FORMATS.CREDIT_NOTE),
    currency: defaultCurrency,
    lockedThrough: described(
      v.nullable(date),
      'The last date of the closed period; null: none. Entries on it and before are not made, changed, moved or deleted, by nobody, until it is cleared or set to an earlier date. Billing them, crediting their invoices, and their metadata go on.',
    ),
    createdAt: described(timestamp, 'When the first key of the organization was made.'),
    updatedAt,
  },
);

const { name, ...registered } = exampleSeller;

export const exampleProfile = {
  ...registered,
  paymentTermsDays: 14,
  invoiceNotes: 'Thank you for your trust.',
  locale: 'de',
  taxRounding: 'rate',
  rounding: null,
  chronologicalNumbers: false,
  timeZone: 'Europe/Berlin',
  accentColor: '#0f6b4f',
  footer: 'Managing directors: Ada Byron, Charles Babbage',
  printsHours: false,
  currency: 'EUR',
};

export const exampleNumberings = {
  invoiceNumbering: { format: '{yyyy}-{n:4}', next: 118 },
  creditNoteNumbering: { format: DEFAULT_FORMATS.CREDIT_NOTE, next: 1 },
};

export const exampleOrganization = {
  id: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  name,
  ...exampleProfile,
  lockedThrough: null,
  ...exampleNumberings,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T10:15:00.000Z',
};
