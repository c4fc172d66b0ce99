import * as v from 'valibot';
import { exampleSeller } from '#shared/contract/details.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import {
  currency,
  currencyInput,
  date,
  decimal,
  idInput,
  list,
  percentage,
  text,
  timestamp,
  uuid,
} from '#shared/contract/fields.ts';
import { oneEnded, paginationEntries } from '#shared/contract/pagination.ts';
import { rule } from '#shared/contract/rule.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { searchWeight } from '#shared/contract/weight.ts';
import { MAX_INVOICE_ENTRIES } from '#shared/domain/invoices/invoice.ts';
import { TIME_GROUPINGS } from '#shared/domain/invoices/tracked-time.ts';
import { LOCALES } from '#shared/domain/locale.ts';

/** Invoices: what callers send and get. */

const status = v.picklist(['draft', 'sent', 'paid', 'void']);

const amount = v.pipe(v.string(), v.description("In the invoice's currency, with all its minor digits."));

export const lineItem = v.pipe(
  v.object({
    id: uuid,
    productId: v.nullable(uuid),
    entryIds: v.pipe(v.array(uuid), v.description('The entries that the line bills; empty unless it is tracked time.')),
    name: v.string(),
    description: v.string(),
    quantity: v.pipe(decimal, v.description('Hours of tracked time.')),
    unit: v.string(),
    price: decimal,
    taxRate: v.nullable(v.pipe(percentage, v.description('Comes on top of the amount, after the discount.'))),
    amount: v.pipe(
      v.string(),
      v.description(
        'Quantity x price, rounded half up to the minor unit. Of tracked time it is the sum of the amounts of the entries, which may differ from that by what these were rounded. Before the discount.',
      ),
    ),
    discount: v.pipe(
      v.string(),
      v.description("The invoice's `discountPercent` of the amount, rounded half up to the minor unit."),
    ),
  }),
  v.title('LineItem'),
);

const customer = v.pipe(
  v.object({
    name: v.string(),
    email: v.nullable(v.string()),
    phone: v.nullable(v.string()),
    website: v.nullable(v.string()),
    contact: v.nullable(v.string()),
    addressLine1: v.nullable(v.string()),
    addressLine2: v.nullable(v.string()),
    city: v.nullable(v.string()),
    region: v.nullable(v.string()),
    postalCode: v.nullable(v.string()),
    countryCode: v.nullable(v.string()),
    taxNumber: v.nullable(v.string()),
  }),
  v.title('Customer'),
);

const told = (meaning: string) => v.pipe(v.nullable(v.string()), v.description(meaning));

const seller = v.pipe(
  v.object({
    name: v.pipe(v.string(), v.description('The name of the organization.')),
    legalName: told('The name as registered, where it is another.'),
    addressLine1: told('Street and number.'),
    addressLine2: told('What follows on a line of its own.'),
    city: told('Town or city.'),
    region: told('State, province or county.'),
    postalCode: told('Postal code, as it is written on letters.'),
    countryCode: told('ISO 3166-1 alpha-2, in upper case.'),
    email: told('Where customers write to.'),
    phone: told('Where customers call.'),
    website: told('A URL that begins with http:// or https://.'),
    taxNumber: told('The number under which the organization pays sales tax or VAT.'),
    registrationNumber: told('The number in the register of companies.'),
    bankDetails: told('Where customers pay to; may have several lines.'),
  }),
  v.title('Seller'),
);

const locale = v.pipe(v.picklist(LOCALES), v.description('The language of the document; null counts as `en`.'));
const discountPercent = v.pipe(percentage, v.description('Taken from the amount of each line, before tax.'));

const taxes = v.pipe(
  v.array(
    v.pipe(
      v.object({
        taxRate: v.pipe(percentage, v.description('Without trailing zeros.')),
        base: v.pipe(amount, v.description('The sum of the lines with this rate, after the discount.')),
        amount: v.pipe(amount, v.description('The sum of the taxes of these lines.')),
      }),
      v.title('Tax'),
    ),
  ),
  v.description('One for each rate, the lowest first. Lines without a rate are in none.'),
);

/** An invoice without its lines. */
export const invoiceHead = v.object({
  id: uuid,
  number: v.pipe(v.nullable(v.string()), v.description('Given when the invoice is sent, without gaps: `INV-000001`.')),
  status,
  clientId: v.pipe(uuid, v.description('Of the client that was billed; it may be deleted by now.')),
  seller: v.pipe(
    seller,
    v.description(
      'Who sells. A draft shows the organization as it is now. Sending the invoice copies it, and nothing changes it afterwards.',
    ),
  ),
  customer: v.pipe(
    customer,
    v.description(
      'Who is billed. A draft shows its client as it is now; if that was deleted, as it was when the draft was made or changed last. Sending the invoice copies it, and nothing changes it afterwards.',
    ),
  ),
  currency,
  issueDate: date,
  dueDate: v.nullable(date),
  purchaseOrder: v.pipe(v.nullable(v.string()), v.description("The customer's own number of the order.")),
  locale: v.nullable(locale),
  discountPercent: v.nullable(discountPercent),
  discountTotal: v.pipe(amount, v.description('The sum of the discounts of the lines.')),
  subtotal: v.pipe(amount, v.description('The sum of the lines after the discount, without tax.')),
  taxTotal: v.pipe(amount, v.description('The sum of the taxes of the lines, each rounded half up.')),
  total: v.pipe(amount, v.description('`subtotal` and `taxTotal` together.')),
  amountPaid: v.pipe(amount, v.description('The sum of the payments.')),
  amountDue: v.pipe(amount, v.description('What is still to be paid. Of a void invoice that is nothing.')),
  isOverdue: v.pipe(v.boolean(), v.description('Sent, not paid, and due before today, in UTC.')),
  notes: v.nullable(v.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
  sentAt: v.nullable(timestamp),
  paidAt: v.nullable(timestamp),
  voidedAt: v.nullable(timestamp),
});

export const invoice = v.pipe(
  v.object({ ...invoiceHead.entries, lineItems: v.array(lineItem), taxes }),
  v.title('Invoice'),
  tagged(),
);

const listedInvoice = v.pipe(
  v.object({
    ...invoiceHead.entries,
    lineItems: v.pipe(
      v.optional(v.array(lineItem)),
      v.description('Left out where the lines take more than 8 KB: get the invoice to see them.'),
    ),
    taxes: v.pipe(v.optional(taxes), v.description('Left out together with the lines.')),
  }),
  v.title('ListedInvoice'),
);

const MAX_LINE_ITEMS = MAX_INVOICE_ENTRIES;

const lineFields = v.object({
  productId: v.pipe(
    v.optional(v.nullable(idInput)),
    v.description('A product in the currency of the invoice, whose values are copied unless given here.'),
  ),
  entryIds: v.pipe(
    v.optional(list(idInput, MAX_INVOICE_ENTRIES)),
    v.description(
      "Entries to bill on this line: the client's, billable, with a rate, in the currency of the invoice, and on no other invoice. Quantity, unit and price come from them; several rates make several lines.",
    ),
  ),
  name: v.optional(v.pipe(text(1, 255), v.description('Required without `productId` and `entryIds`.'))),
  description: v.optional(text(0, 2_500)),
  quantity: v.optional(v.pipe(decimal, v.description('`"1"` by default.'))),
  unit: v.optional(text(0, 50)),
  price: v.optional(v.pipe(decimal, v.description('Required without `productId` and `entryIds`.'))),
  taxRate: v.optional(v.nullable(percentage)),
});

type LineFields = v.InferOutput<typeof lineFields>;

const isCopy = ({ productId, entryIds }: LineFields) => Boolean(productId) || Boolean(entryIds?.length);

/* @__NO_SIDE_EFFECTS__ */
function ownLineNeeds(member: 'name' | 'price') {
  const isGiven = (line: LineFields) => isCopy(line) || line[member] !== undefined;
  return rule('required', `${member}, productId or entryIds`, {}, isGiven, member);
}

const lineInput = v.pipe(
  lineFields,
  ownLineNeeds('name'),
  ownLineNeeds('price'),
  rule(
    'exclusive',
    '"productId" or "entryIds", not both',
    {},
    ({ productId, entryIds }: LineFields) => !(productId && entryIds?.length),
    'entryIds',
  ),
);

const lineItems = v.pipe(
  list(lineInput, MAX_LINE_ITEMS),
  rule('unique', 'no entry twice', {}, (lines: LineFields[]) => {
    const entryIds = lines.flatMap((line) => line.entryIds ?? []);
    return new Set(entryIds).size === entryIds.length;
  }),
);

const issueDate = date;
const dueDate = v.nullable(v.pipe(date, v.description('Not before the issue date.')));
const notes = v.nullable(text(0, 2_000));
const purchaseOrder = v.nullable(text(0, 100));

const timeEntries = v.pipe(
  v.object({
    dateFrom: v.pipe(date, v.description('Inclusive.')),
    dateTo: v.pipe(date, v.description('Inclusive.')),
    projectId: v.optional(v.nullable(v.pipe(idInput, v.description('Only the entries of this project.')))),
    groupBy: v.pipe(
      v.picklist(TIME_GROUPINGS),
      v.description('What makes a line. A group of entries with several rates makes one for each rate.'),
    ),
    taxRate: v.optional(v.nullable(v.pipe(percentage, v.description('Of the lines that are made.'))), null),
  }),
  v.description(
    "Bills the client's unbilled billable entries of these days in the currency of the invoice. Entries without a rate have nothing to bill and stay unbilled.",
  ),
);

const createFields = v.object({
  clientId: idInput,
  currency: v.optional(v.pipe(currencyInput, v.description("By default the client's, else that of the organization."))),
  issueDate: v.optional(v.pipe(issueDate, v.description('Today by default, in UTC.'))),
  dueDate: v.optional(
    v.pipe(
      dueDate,
      v.description(
        "By default the issue date plus the organization's `paymentTermsDays`, if it has them. With null, none.",
      ),
    ),
  ),
  purchaseOrder: v.optional(purchaseOrder),
  locale: v.optional(v.pipe(v.nullable(locale), v.description("By default the organization's."))),
  discountPercent: v.optional(v.nullable(discountPercent)),
  notes: v.optional(v.pipe(notes, v.description("By default the organization's `invoiceNotes`."))),
  lineItems: v.optional(lineItems, []),
  timeEntries: v.optional(timeEntries),
});

const createBody = v.pipe(
  createFields,
  rule(
    'required',
    'a line, or timeEntries',
    {},
    (body: v.InferOutput<typeof createFields>) => body.lineItems.length > 0 || body.timeEntries !== undefined,
    'lineItems',
  ),
);

const updateBody = v.object({
  issueDate: v.optional(issueDate),
  dueDate: v.optional(dueDate),
  purchaseOrder: v.optional(purchaseOrder),
  locale: v.optional(v.nullable(locale)),
  discountPercent: v.optional(v.nullable(discountPercent)),
  notes: v.optional(notes),
  lineItems: v.optional(v.pipe(lineItems, v.minLength(1), v.description('Replaces all lines.'))),
});

/** Every organization has its own clients, so no example can name a client that exists everywhere. */
const exampleBody = {
  clientId: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
  currency: 'EUR',
  issueDate: '2026-11-30',
  dueDate: '2026-12-14',
  purchaseOrder: 'PO-4711',
  locale: 'de',
  discountPercent: '10',
  notes: 'Thank you.',
  lineItems: [{ name: 'Hosting', quantity: '2', unit: 'month', price: '49.90', taxRate: '19' }],
};

const exampleInvoice = {
  id: '019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61',
  number: null,
  status: 'draft',
  clientId: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
  seller: exampleSeller,
  customer: {
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
  },
  currency: 'EUR',
  issueDate: '2026-11-30',
  dueDate: '2026-12-14',
  purchaseOrder: 'PO-4711',
  locale: 'de',
  discountPercent: '10',
  lineItems: [
    {
      id: '019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d',
      productId: null,
      entryIds: [],
      name: 'Hosting',
      description: '',
      quantity: '2',
      unit: 'month',
      price: '49.90',
      taxRate: '19',
      amount: '99.80',
      discount: '9.98',
    },
  ],
  taxes: [{ taxRate: '19', base: '89.82', amount: '17.07' }],
  discountTotal: '9.98',
  subtotal: '89.82',
  taxTotal: '17.07',
  total: '106.89',
  amountPaid: '0.00',
  amountDue: '106.89',
  isOverdue: false,
  notes: 'Thank you.',
  createdAt: '2026-11-30T09:30:00.000Z',
  updatedAt: '2026-11-30T09:30:00.000Z',
  sentAt: null,
  paidAt: null,
  voidedAt: null,
};

const sentInvoice = {
  ...exampleInvoice,
  status: 'sent',
  number: 'INV-000001',
  updatedAt: '2026-11-30T09:31:00.000Z',
  sentAt: '2026-11-30T09:31:00.000Z',
};

/** Claiming thousands of entries takes seconds. Waiting for another request that claims takes some more. */
const CLAIMING_TIMEOUT_SECONDS = 29;

/** Thousands of lines are parsed, made, packed and answered in one request. */
const CLAIMING_MEMORY_MEGABYTES = 1_024;

export const createInvoice = defineEndpoint({
  operationId: 'createInvoice',
  method: 'POST',
  path: '/invoices',
  area: 'invoices',
  summary: 'Create a draft invoice',
  description:
    'Takes lines that are spelled out in `lineItems`, tracked time by `timeEntries`, or both; the lines of `timeEntries` come last. Products (at most 80 different ones), the client and tracked time are copied. Entries that an invoice bills become `invoiced` and refuse changes, until it is voided or, as a draft, deleted; each is on one invoice at most, also when several requests want it at once: then one gets it, and the others bill the rest, or response `invoice_empty` where there is none. Who would have to wait for too long is told so by `invoicing_in_progress`, with `Retry-After`. Not idempotent.',
  scope: 'invoices:write',
  body: createBody,
  response: { kind: 'resource', status: 201, schema: invoice },
  problems: [
    'reference_not_found',
    'currency_mismatch',
    'entry_not_billable',
    'entry_invoiced',
    'tracked_time_fixed',
    'invalid_date_range',
    'invoice_empty',
    'invoice_too_large',
    'invoicing_in_progress',
  ],
  access: {
    table: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    writes: ['claim', 'client', 'count', 'entry', 'invoice', 'product'],
  },
  timeoutSeconds: CLAIMING_TIMEOUT_SECONDS,
  memoryMegabytes: CLAIMING_MEMORY_MEGABYTES,
  example: { body: exampleBody, response: exampleInvoice },
});

export const listInvoices = defineEndpoint({
  operationId: 'listInvoices',
  method: 'GET',
  path: '/invoices',
  area: 'invoices',
  summary: 'List invoices, newest first',
  description:
    'Ordered by number, drafts, which have none, count as the newest; by due date, invoices without one as the latest; `total` orders by the number, whatever the currency. In any order but `createdAt`, an invoice that was just created or changed may take a moment to appear in its place.',
  scope: 'invoices:read',
  weight: searchWeight,
  query: v.pipe(
    v.object({
      ...paginationEntries(['createdAt', 'issueDate', 'dueDate', 'number', 'total']),
      q: v.optional(
        v.pipe(text(0, 255), v.description("Part of the number, the customer's name or the notes, in any case.")),
      ),
      status: v.optional(status),
      clientId: v.optional(idInput),
      overdue: v.optional(
        v.pipe(v.boolean(), v.description('Whether the invoice is sent and due before today, in UTC.')),
      ),
      dueFrom: v.optional(v.pipe(date, v.description('Due on this day or later.'))),
      dueTo: v.optional(v.pipe(date, v.description('Due on this day or earlier.'))),
      issueFrom: v.optional(v.pipe(date, v.description('Issued on this day or later.'))),
      issueTo: v.optional(v.pipe(date, v.description('Issued on this day or earlier.'))),
    }),
    oneEnded(),
  ),
  response: { kind: 'listOrConnection', item: listedInvoice },
  problems: ['invalid_date_range', 'range_too_large'],
  access: { table: ['BatchGetItem', 'GetItem', 'Query'], indexes: ['order1', 'order2', 'order3', 'order4'] },
  timeoutSeconds: 29,
  example: { response: exampleInvoice },
});

export const getInvoice = defineEndpoint({
  operationId: 'getInvoice',
  method: 'GET',
  path: '/invoices/{id}',
  area: 'invoices',
  summary: 'Get an invoice',
  scope: 'invoices:read',
  response: { kind: 'resource', status: 200, schema: invoice },
  access: { table: ['BatchGetItem', 'GetItem', 'Query'] },
  example: { response: exampleInvoice },
});

export const updateInvoice = defineEndpoint({
  operationId: 'updateInvoice',
  method: 'PATCH',
  path: '/invoices/{id}',
  area: 'invoices',
  summary: 'Change a draft invoice',
  description:
    'Only the members that are sent change; a body without any changes nothing, also of an invoice that is final. `lineItems` replaces all lines: a line of tracked time stays when its `entryIds` are sent again, and entries that are on no line any more are released. Lines may be sent as they were answered; a value that a line of a product leaves out is copied from the product as it is now.',
  scope: 'invoices:write',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: [
    'reference_not_found',
    'currency_mismatch',
    'entry_not_billable',
    'entry_invoiced',
    'tracked_time_fixed',
    'invalid_date_range',
    'invoice_too_large',
    'invoice_state_forbids',
    'invoicing_in_progress',
  ],
  access: {
    table: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    writes: ['claim', 'client', 'entry', 'invoice', 'product'],
    sends: ['releases'],
  },
  timeoutSeconds: CLAIMING_TIMEOUT_SECONDS,
  memoryMegabytes: CLAIMING_MEMORY_MEGABYTES,
  example: { body: { dueDate: '2026-12-31' }, response: { ...exampleInvoice, dueDate: '2026-12-31' } },
});

export const deleteInvoice = defineEndpoint({
  operationId: 'deleteInvoice',
  method: 'DELETE',
  path: '/invoices/{id}',
  area: 'invoices',
  summary: 'Delete a draft invoice for good',
  description: 'Its entries can be billed again at once.',
  scope: 'invoices:write',
  response: { kind: 'deletion', of: invoice },
  problems: ['invoice_state_forbids'],
  access: {
    table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    writes: ['claim', 'count', 'invoice'],
    sends: ['releases'],
  },
  example: {},
});

/** A step reads nothing from its body, which may be absent. */
const stepBody = v.object({});

export const sendInvoice = defineEndpoint({
  operationId: 'sendInvoice',
  method: 'POST',
  path: '/invoices/{id}/send',
  area: 'invoices',
  summary: 'Send a draft invoice',
  description:
    'The invoice gets the next number of the organization and is final: it can only be paid or voided. Numbers have no gaps.',
  scope: 'invoices:write',
  body: stepBody,
  bodyOptional: true,
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: ['invoice_state_forbids'],
  access: { table: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'], writes: ['count', 'invoice'] },
  example: { body: {}, response: sentInvoice },
});

export const payInvoice = defineEndpoint({
  operationId: 'payInvoice',
  method: 'POST',
  path: '/invoices/{id}/pay',
  area: 'invoices',
  summary: 'Pay the rest of a sent invoice',
  description:
    'Records one payment of what is still due, with the date of today. Of an invoice with nothing due it records none. Either way the invoice is paid.',
  scope: 'invoices:write',
  body: stepBody,
  bodyOptional: true,
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: ['invoice_state_forbids', 'too_many_payments'],
  access: { table: ['BatchGetItem', 'GetItem', 'PutItem', 'Query'], writes: ['invoice', 'payment'] },
  example: {
    body: {},
    response: {
      ...sentInvoice,
      status: 'paid',
      amountPaid: '106.89',
      amountDue: '0.00',
      updatedAt: '2026-12-10T08:00:00.000Z',
      paidAt: '2026-12-10T08:00:00.000Z',
    },
  },
});

export const voidInvoice = defineEndpoint({
  operationId: 'voidInvoice',
  method: 'POST',
  path: '/invoices/{id}/void',
  area: 'invoices',
  summary: 'Void a sent invoice',
  description:
    'It keeps its number and its lines. Its entries can be billed again at once. The payments of an invoice have to be taken back first.',
  scope: 'invoices:write',
  body: stepBody,
  bodyOptional: true,
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: ['invoice_state_forbids', 'invoice_has_payments'],
  access: {
    table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'],
    writes: ['claim', 'invoice'],
    sends: ['releases'],
  },
  example: {
    body: {},
    response: {
      ...sentInvoice,
      status: 'void',
      amountDue: '0.00',
      updatedAt: '2026-12-10T08:00:00.000Z',
      voidedAt: '2026-12-10T08:00:00.000Z',
    },
  },
});

export const getInvoicePdf = defineEndpoint({
  operationId: 'getInvoicePdf',
  method: 'GET',
  path: '/invoices/{id}/pdf',
  area: 'invoices',
  summary: 'Get an invoice as a PDF',
  description: 'In any state; what is not sent yet, or void, says so. The organization is its issuer.',
  scope: 'invoices:read',
  weight: 5,
  response: { kind: 'raw', contentTypes: ['application/pdf'] },
  access: { table: ['BatchGetItem', 'GetItem', 'Query'] },
  timeoutSeconds: 29,
  memoryMegabytes: 1_024,
  example: {},
});
