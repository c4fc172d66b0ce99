import * as v from 'valibot';
import { getClient } from '#shared/contract/clients/get-client.ts';
import { listClients } from '#shared/contract/clients/list-clients.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { getInvoice } from '#shared/contract/invoices/get-invoice.ts';
import { invoiceHead } from '#shared/contract/invoices/invoice.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { getEntry } from '#shared/contract/tracker/get-entry.ts';
import { getProject } from '#shared/contract/tracker/get-project.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { listProjects } from '#shared/contract/tracker/list-projects.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { foldText } from '#shared/domain/text.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';
import { BILLING_STATUSES, billingStatusOf } from '#shared/domain/tracker/present-entry.ts';
import { summarize } from '#shared/domain/tracker/summary.ts';
import { GROUPINGS, groupCells } from '#shared/domain/tracker/summary-groups.ts';
import type { Json } from '#test/support/client.ts';
import { found } from './books.ts';
import type { Desk } from './desk.ts';
import { DAYS, EXTERNAL_IDS, MONTHS, NAMES, TAGS, WORDS } from './vocabulary.ts';

/** All that can be read, each with the whole answer that the books give. */

export interface Question {
  readonly endpoint: Endpoint;
  readonly id?: string;
  readonly query?: Json;
  readonly body?: Json;
  /** @throws Problem */
  readonly answer: () => Json;
  /** Makes two answers the same that mean the same. */
  readonly tidy?: (body: Json) => Json;
}

/**
 * These show a write of another caller, on its way at the same moment, as a whole or not at all: the sums of several
 * projects do not.
 */
export const QUESTIONS_AT_ANY_MOMENT = [
  entriesQuestion,
  entriesQuestion,
  entriesQuestion,
  entryQuestion,
  projectQuestion,
];

export const QUESTIONS: readonly ((desk: Desk) => Question)[] = [
  ...QUESTIONS_AT_ANY_MOMENT,
  ...QUESTIONS_AT_ANY_MOMENT,
  projectsQuestion,
  summaryQuestion,
  summaryQuestion,
  clientsQuestion,
  clientQuestion,
  invoicesQuestion,
  invoiceQuestion,
];

const ALL_TIME = { dateFrom: '1900-01-01', dateTo: '9998-12-30' };

const LIMITS = [1, 3, 10, 50, 100];

const dataOf = (data: unknown) => ({ data });

function entriesQuestion({ books, dice, userId }: Desk): Question {
  const filter = dice.pick([
    () => ({}),
    () => ({ projectId: dice.pick([...books.projects.keys(), ...books.deletedNames.keys()]) }),
    () => ({ clientId: dice.pick([...books.clients.keys(), ...books.deletedNames.keys()]) }),
    () => ({ billable: dice.chance(0.5) }),
    () => ({ userId: dice.pick([userId, books.organization.id]) }),
    () => ({ billingStatus: dice.pick(BILLING_STATUSES), billable: dice.chance(0.8) ? undefined : dice.chance(0.5) }),
    () => ({ tag: Array.from({ length: 1 + dice.below(2) }, () => dice.pick(TAGS)) }),
    () => ({ q: dice.pick([...WORDS, ...NAMES]).slice(dice.below(3)) }),
  ])();
  const range = dice.chance(0.5) ? {} : rangeOf(dice.pick(DAYS), dice.pick(DAYS));
  const query: Json = { ...filter, ...range, ...windowOf(dice) };
  const answer = () => {
    const { holds } = books.links();
    const wanted = [...books.entries.values()].filter(
      (entry) =>
        matches(entry, query, labelOf(entry)) &&
        (query.billingStatus === undefined || query.billingStatus === billingStatusOf(entry, holds)),
    );
    return page(wanted.sort(newestFirst), query, (entry) => books.showEntry(entry));
  };
  const labelOf = ({ clientId, clientLabel }: Entry) => books.clients.get(clientId ?? '')?.name ?? clientLabel ?? '';
  return { endpoint: listEntries, query, answer };
}

function matches(entry: Entry, { q, tag = [], dateFrom, dateTo, ...wanted }: Json, label = ''): boolean {
  const { entryDate, description } = entry;
  if (dateFrom !== undefined && (entryDate < dateFrom || entryDate > dateTo)) return false;
  if (q !== undefined && ![description, label].some((text) => foldText(text).includes(foldText(q)))) return false;
  const tags = entry.tags.map(foldText);
  if (!tag.every((each: string) => tags.includes(foldText(each)))) return false;
  const members = ['projectId', 'clientId', 'billable', 'userId'] as const;
  return members.every((member) => wanted[member] === undefined || wanted[member] === entry[member]);
}

/** By date, then start, then creation. */
function newestFirst(one: Entry, other: Entry): number {
  const orderOf = ({ entryDate, startedAt, createdAt, id }: Entry) =>
    [entryDate, startedAt ?? '', createdAt, id].join();
  return orderOf(one) < orderOf(other) ? 1 : -1;
}

function rangeOf(one: string, other: string) {
  return one < other ? { dateFrom: one, dateTo: other } : { dateFrom: other, dateTo: one };
}

function windowOf(dice: Desk['dice']) {
  return { limit: dice.pick(LIMITS), offset: dice.chance(0.5) ? 0 : dice.below(60) };
}

function page<Item>(items: readonly Item[], { limit, offset }: Json, show: (item: Item) => unknown): Json {
  const data = items.slice(offset, offset + limit).map(show);
  return { data, meta: { total: items.length, limit, offset } };
}

function entryQuestion(desk: Desk): Question {
  const { books, dice } = desk;
  const ids = [...books.entries.keys(), ...books.deletedEntries.slice(-5)];
  if (ids.length === 0) return entriesQuestion(desk);
  const id = dice.pick(ids);
  return { endpoint: getEntry, id, answer: () => dataOf(books.showEntry(found(books.entries, id))) };
}

function summaryQuestion({ books, dice }: Desk): Question {
  const range = dice.pick([ALL_TIME, dice.pick(MONTHS), rangeOf(dice.pick(DAYS), dice.pick(DAYS))]);
  const groupings = [...new Set([dice.pick(GROUPINGS), dice.pick(GROUPINGS)])];
  const isGrouped = dice.chance(0.7);
  const billingStatus = dice.chance(0.5) ? undefined : dice.pick(BILLING_STATUSES);
  const answer = () => {
    const { holds } = books.links();
    const isWanted = (entry: Entry) => billingStatus === undefined || billingStatus === billingStatusOf(entry, holds);
    const entries = [...books.entries.values()].filter((entry) => matches(entry, range) && isWanted(entry));
    const cells = entries.map((entry) => ({
      dimensions: entry,
      minutes: entry.durationMinutes,
      billedMinutes: entry.billedMinutes,
      amountMinor: amountMinorOf(entry),
      period: entry.entryDate,
      userId: entry.userId,
    }));
    const { projects, clients, users } = books;
    const names = new Map([...projects].map(([id, { name }]) => [id, name]));
    const summary = { ...range, ...summarize(cells, names, books.organization.currency) };
    const groups = isGrouped ? groupCells(cells, groupings, { projects, clients, users }) : undefined;
    return dataOf(v.parse(summarizeEntries.response.schema, { ...summary, groups }));
  };
  const query = { ...range, billingStatus, groupBy: isGrouped ? groupings.join() : undefined };
  return { endpoint: summarizeEntries, query, answer };
}

/** In the order of their creation, the last one first. */
function byCreation<Thing extends { readonly id: string }>(things: ReadonlyMap<string, Thing>): Thing[] {
  return [...things.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
}

function projectsQuestion({ books, dice }: Desk): Question {
  const clientId = dice.chance(0.3) ? dice.pick([...books.clients.keys(), ...books.deletedNames.keys()]) : undefined;
  const query = { ...windowOf(dice), clientId };
  const answer = () => {
    const wanted = byCreation(books.projects).filter((each) => clientId === undefined || each.clientId === clientId);
    return page(wanted, query, (project) => books.showProject(project));
  };
  return { endpoint: listProjects, query, answer };
}

function projectQuestion({ books, dice }: Desk): Question {
  const id = dice.pick([...books.projects.keys(), ...[...books.deletedNames.keys()].slice(-2)]);
  return { endpoint: getProject, id, answer: () => dataOf(books.showProject(found(books.projects, id))) };
}

/** The order by creation is that of both ways to page. */
function inCreation<Item extends { readonly id: string }>(
  dice: Desk['dice'],
  filter: Json,
  listed: () => Listing<Item>,
) {
  if (dice.chance(0.7)) {
    const query = { ...filter, ...windowOf(dice) };
    return { query, answer: () => page(listed().items, query, listed().show) };
  }
  const first = dice.pick(LIMITS);
  const answer = () => {
    const { items, show } = listed();
    return { totalCount: items.length, edges: items.slice(0, first).map((item) => ({ node: show(item) })) };
  };
  return { query: { ...filter, pagination: 'cursor', first }, answer };
}

interface Listing<Item> {
  readonly items: readonly Item[];
  readonly show: (item: Item) => unknown;
}

/** Leaves out cursors, which mean nothing to callers. */
const shownIn = ({ data, meta, totalCount, edges }: Json) =>
  edges ? { totalCount, data: edges.map(({ node }: Json) => node) } : { meta, data };

function clientsQuestion({ books, dice }: Desk): Question {
  const q = dice.chance(0.5) ? dice.pick(NAMES).slice(1) : undefined;
  const wanted = dice.chance(0.5) ? dice.pick(EXTERNAL_IDS) : undefined;
  const list = inCreation(dice, { q, externalId: wanted }, () => ({
    items: byCreation(books.clients)
      .filter(({ name }) => foldText(name).includes(foldText(q ?? '')))
      .filter(({ externalId }) => wanted === undefined || externalId === wanted),
    show: (client) => books.showClient(client),
  }));
  return { endpoint: listClients, ...list, tidy: shownIn };
}

function clientQuestion({ books, dice }: Desk): Question {
  const id = dice.pick([...books.clients.keys(), ...[...books.deletedNames.keys()].slice(-2)]);
  return { endpoint: getClient, id, answer: () => dataOf(books.showClient(found(books.clients, id))) };
}

/** Lists leave out lines that are long. */
const headsIn = (body: Json) => {
  const { data, ...rest } = shownIn(body);
  return { ...rest, data: data.map((invoice: Json) => v.parse(invoiceHead, invoice)) };
};

function invoicesQuestion({ books, dice, invoices }: Desk): Question {
  const status = dice.pick([undefined, 'draft', 'sent', 'void']);
  const list = inCreation(dice, { status }, () => ({
    items: byCreation(books.invoices).filter((each) => status === undefined || each.status === status),
    show: (invoice) => invoices.show(invoice),
  }));
  return { endpoint: listInvoices, ...list, tidy: headsIn };
}

function invoiceQuestion(desk: Desk): Question {
  const { books, dice, invoices } = desk;
  if (books.invoices.size === 0) return invoicesQuestion(desk);
  const id = dice.pick([...books.invoices.keys()]);
  return { endpoint: getInvoice, id, answer: () => dataOf(invoices.show(found(books.invoices, id))) };
}
