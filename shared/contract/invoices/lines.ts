import * as v from 'valibot';
import {
  count,
  date,
  decimal,
  figure,
  idInput,
  list,
  nameText,
  percentage,
  text,
  uuid,
} from '#shared/contract/fields.ts';
import { component, described, explainedBy } from '#shared/contract/meaning.ts';
import { distinct, rule } from '#shared/contract/rule.ts';
import { shownTax, taxInput } from '#shared/contract/tax.ts';
import { MAX_INVOICE_ENTRIES } from '#shared/domain/invoices/invoice.ts';

export const lineItem = component('LineItem', 'A line of an invoice.', {
  id: described(uuid, 'The id of the line.'),
  productId: described(v.nullable(uuid), 'The product that the line copied; it may be deleted by now. Null: none.'),
  entryIds: described(v.array(uuid), 'The entries that the line bills; empty unless it is tracked time.'),
  name: described(v.string(), 'The item billed.'),
  description: described(v.string(), 'Details of the item; may be empty.'),
  quantity: described(figure, 'The number of units, as a decimal string; for tracked time, the billed hours.'),
  workedMinutes: described(
    v.nullable(count),
    'The minutes of work of tracked time, where rounding bills others; else null.',
  ),
  unit: described(v.string(), 'The unit of the quantity, such as `hour`; may be empty.'),
  price: described(decimal, 'The price of one unit, without tax, as a decimal string.'),
  taxRate: described(v.nullable(percentage), 'Tax in percent, on top of the amount after the discount; null: none.'),
  ...shownTax,
  serviceFrom: described(
    v.nullable(date),
    'The first day of what is billed; null if none was given. For tracked time always that of its first entry.',
  ),
  serviceTo: described(
    v.nullable(date),
    'The last day of what is billed, inclusive; null if none was given. For tracked time always that of its last entry.',
  ),
  amount: described(
    figure,
    'Quantity x price before the discount, rounded half up to the minor unit. For tracked time, the sum of the amounts of the entries, each of which was rounded.',
  ),
  discount: described(figure, "The invoice's `discountPercent` of the amount, rounded half up to the minor unit."),
});

const lineFields = v.object({
  productId: described(
    v.optional(v.nullable(idInput)),
    'A product in the currency of the invoice. Its values are copied unless they are given here.',
  ),
  entryIds: described(
    v.optional(list(idInput, MAX_INVOICE_ENTRIES)),
    "Entries to bill on this line: the client's, billable, with a rate, in the currency of the invoice, and on no other invoice. Quantity, unit and price come from them; several rates make several lines.",
  ),
  name: described(v.optional(nameText(255)), 'The item billed. Required without `productId` and `entryIds`.'),
  description: v.optional(text(0, 2_500)),
  quantity: described(v.optional(decimal), 'The number of units; `"1"` by default.'),
  unit: v.optional(text(0, 50)),
  price: described(v.optional(decimal), 'The price of one unit. Required without `productId` and `entryIds`.'),
  taxRate: v.optional(v.nullable(percentage)),
  ...taxInput,
  serviceFrom: v.optional(v.nullable(date)),
  serviceTo: v.optional(v.nullable(date)),
});

type LineFields = v.InferOutput<typeof lineFields>;

const isCopy = ({ productId, entryIds }: LineFields) => Boolean(productId) || Boolean(entryIds?.length);

function ownLineNeeds(member: 'name' | 'price') {
  const isGiven = (line: LineFields) => isCopy(line) || line[member] !== undefined;
  return rule('required', `${member}, productId or entryIds`, {}, isGiven, member);
}

const lineInput = v.pipe(
  lineFields,
  explainedBy(lineItem),
  ownLineNeeds('name'),
  ownLineNeeds('price'),
  rule(
    'exclusive',
    '"productId" or "entryIds", not both',
    {},
    ({ productId, entryIds }: LineFields) => !(productId && entryIds?.length),
    'entryIds',
  ),
  v.description('A line to bill: its own values, a product, or entries.'),
  v.title('LineItemInput'),
);

export const lineInputs = v.pipe(
  list(lineInput, MAX_INVOICE_ENTRIES),
  distinct('no entry twice', (lines: LineFields[]) => lines.flatMap(({ entryIds = [] }) => entryIds)),
);
