import { createClient } from '#shared/contract/clients/create-client.ts';
import { deleteClient } from '#shared/contract/clients/delete-client.ts';
import { updateClient } from '#shared/contract/clients/update-client.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { deleteInvoice } from '#shared/contract/invoices/delete-invoice.ts';
import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { voidInvoice } from '#shared/contract/invoices/void-invoice.ts';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { deleteProject } from '#shared/contract/tracker/delete-project.ts';
import { updateProject } from '#shared/contract/tracker/update-project.ts';
import { TIME_GROUPINGS } from '#shared/domain/invoices/tracked-time.ts';
import type { Json } from '#test/support/client.ts';
import { pickRounding } from '#test/support/rounding.ts';
import { weighted } from '../dice.ts';
import type { Told } from './books.ts';
import type { Desk } from './desk.ts';
import { entryChange, entryCreation, entryDeletion, linkTo, type Write } from './entry-writes.ts';
import { CURRENCIES, EXTERNAL_IDS, MONTHS, NAMES } from './vocabulary.ts';

/** All that can be written, each with its effect on the books. */

type Kind = readonly [weight: number, make: (desk: Desk) => Write];

/** Callers who share an organization do these at once, each with entries of its own. */
const ENTRY_KINDS: readonly Kind[] = [
  [14, entryCreation],
  [12, entryChange],
  [6, entryDeletion],
];

const KINDS: readonly Kind[] = [...ENTRY_KINDS, [2, clientWrite], [3, projectWrite], [2, billing], [4, invoiceStep]];

export const ENTRY_WRITES = weighted(ENTRY_KINDS);
export const WRITES = weighted(KINDS);

const FEW = 4;
const MANY = 7;

/** @returns whether to make another one, change one, or delete one */
function stepFor({ dice }: Desk, count: number): 'create' | 'change' | 'delete' {
  if (count < FEW) return 'create';
  return dice.pick(count < MANY ? ['create', 'change', 'delete'] : ['change', 'delete']);
}

export function clientWrite(desk: Desk): Write {
  const { books, dice } = desk;
  const body = { name: dice.pick(NAMES), externalId: dice.pick([undefined, null, ...EXTERNAL_IDS]) };
  const step = stepFor(desk, books.clients.size);
  if (step === 'create')
    return { endpoint: createClient, body, effect: (told, parsed) => books.createClient(parsed, told) };
  const id = dice.pick([...books.clients.keys()]);
  if (step === 'delete') return { endpoint: deleteClient, id, effect: () => books.deleteClient(id) };
  return { endpoint: updateClient, id, body, effect: (told, parsed) => books.changeClient(id, parsed, told) };
}

export function projectWrite(desk: Desk): Write {
  const { books, dice } = desk;
  const body = {
    name: dice.pick([undefined, ...NAMES]),
    clientId: linkTo(desk, books.clients),
    billable: dice.chance(0.7),
    rate: dice.pick([null, 80, 12.345]),
    userRates: dice.chance(0.5) ? undefined : userRatesOf(desk),
    currency: dice.pick(CURRENCIES),
    rounding: dice.chance(0.5) ? undefined : pickRounding(dice),
  };
  const step = stepFor(desk, books.projects.size);
  if (step === 'create') {
    const named = { ...body, name: body.name ?? `Project ${dice.below(1_000)}` };
    return { endpoint: createProject, body: named, effect: (told, parsed) => books.createProject(parsed, told) };
  }
  const id = dice.pick([...books.projects.keys()]);
  if (step === 'delete') return { endpoint: deleteProject, id, effect: () => books.deleteProject(id) };
  return { endpoint: updateProject, id, body, effect: (told, parsed) => books.changeProject(id, parsed, told) };
}

function userRatesOf({ books, dice }: Desk) {
  const users = [...books.users.keys()].filter(() => dice.chance(0.5));
  return users.map((userId) => ({ userId, rate: dice.pick([0, 70, 9.99]) }));
}

/** Mostly of time that can be billed, or was. */
function billing(desk: Desk): Write {
  const { books, dice, invoices } = desk;
  const priced = [...books.entries.values()].filter(({ billable, clientId, rate }) => billable && clientId && rate);
  const likely = priced.length > 0 && dice.chance(0.8) ? dice.pick(priced) : undefined;
  const clientId = likely?.clientId ?? dice.pick([...books.clients.keys()]);
  const month = MONTHS.find(
    ({ dateFrom, dateTo }) => likely && likely.entryDate >= dateFrom && likely.entryDate <= dateTo,
  );
  const timeEntries = { ...(month ?? dice.pick(MONTHS)), groupBy: dice.pick(TIME_GROUPINGS) };
  const body = { clientId, currency: likely?.currency ?? dice.pick(CURRENCIES), timeEntries };
  const idsOf = ({ lineItems = [] }: Json) => lineItems.map(({ id }: Json) => id);
  const effect = (told: Told, parsed: Json, data: Json) => invoices.bill(parsed, idsOf(data), told);
  return { endpoint: createInvoice, body, effect };
}

function invoiceStep(desk: Desk): Write {
  const { books, dice, invoices } = desk;
  const ids = [...books.invoices.values()].filter(({ status }) => status !== 'void').map(({ id }) => id);
  if (ids.length === 0) return billing(desk);
  const id = dice.pick(ids);
  const isDraft = books.invoices.get(id)?.status === 'draft';
  const step = dice.chance(0.9)
    ? dice.pick(isDraft ? ['send', 'delete'] : ['void'])
    : dice.pick(['send', 'delete', 'void']);
  if (step === 'delete') return { endpoint: deleteInvoice, id, effect: () => invoices.delete(id) };
  if (step === 'send') return { endpoint: sendInvoice, id, effect: ({ at }) => invoices.send(id, at) };
  return { endpoint: voidInvoice, id, effect: ({ at }) => invoices.void(id, at) };
}
