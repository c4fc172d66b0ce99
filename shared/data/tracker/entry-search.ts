import { findDeleted } from '#shared/data/directory/deleted-clients.ts';
import type { Directory } from '#shared/data/directory/directory.ts';
import { readHolds } from '#shared/data/holds/holds.ts';
import { foldText } from '#shared/domain/text.ts';
import { type Holds, invoiceOf } from '#shared/domain/tracker/hold.ts';
import { type BillingStatus, billingStatusOf } from '#shared/domain/tracker/present-entry.ts';
import { hasTags } from '#shared/domain/tracker/tags.ts';
import type { Pay, RangeFilter } from './entry-counts.ts';
import { type StoredEntry, searchTextOf } from './entry-items.ts';
import { planScan, scanEntries } from './entry-scan.ts';
import { newestFirst, type SentFilter } from './read-segments.ts';

/** Filters by text, user, tags, billing status or invoice, which the ledger does not count: all days that may match are read. */

export interface EntryFilter extends RangeFilter {
  /** Searched in the description, in the client label and in the user label. */
  readonly q?: string;
  readonly userId?: string;
  readonly billingStatus?: BillingStatus;
  readonly invoiceId?: string;
  /** All of them. */
  readonly tag?: readonly string[];
}

/** Whether the entries themselves have to be read to know which ones are meant. */
export function isSearch({ q, userId, billingStatus, invoiceId, tag }: EntryFilter): boolean {
  return [q || undefined, userId, billingStatus, invoiceId, tag].some((value) => value !== undefined);
}

interface Matches {
  readonly items: readonly StoredEntry[];
  /** The holds by which the invoice was decided; undefined if neither it nor the billing status was asked for. */
  readonly holds?: Holds;
}

/** @param pay for the entries of the range @throws Problem `range_too_large` */
export async function searchEntries(
  organizationId: string,
  search: EntryFilter,
  directory: Promise<Directory>,
  pay?: Pay,
): Promise<Matches> {
  const { q, userId, billingStatus, invoiceId, tag = [] } = search;
  const segments = await planScan(organizationId, search, pay);
  if (segments.length === 0) return { items: [] };
  const wanted = q ? await findWanted(organizationId, q, directory) : undefined;
  const tags = tag.map(foldText);
  const isFound = (entry: StoredEntry) =>
    (userId === undefined || entry.userId === userId) &&
    hasTags(entry.tags, tags) &&
    (!wanted || hasText(entry, wanted));
  const select = (entries: readonly StoredEntry[]) => entries.filter(isFound);
  const found = (await scanEntries(organizationId, search, segments, select, wanted && conditionOf(wanted))).flat();
  // An entry that moves from one day to another may be met on both. The later reading is how it is now.
  const items = [...new Map(found.map((entry) => [entry.id, entry])).values()].sort(newestFirst);
  if (billingStatus === undefined && invoiceId === undefined) return { items };
  const holds = await readHolds(organizationId, items);
  const isWanted = (entry: StoredEntry) =>
    (billingStatus === undefined || billingStatusOf(entry, holds) === billingStatus) &&
    (invoiceId === undefined || invoiceOf(entry, holds) === invoiceId);
  return { items: items.filter(isWanted), holds };
}

interface WantedText {
  readonly text: string;
  /** Clients whose name holds the text: all of their entries match. */
  readonly clientIds: ReadonlySet<string>;
}

async function findWanted(organizationId: string, q: string, directory: Promise<Directory>): Promise<WantedText> {
  const [{ clients }, deleted] = await Promise.all([directory, findDeleted(organizationId, q)]);
  const text = foldText(q);
  const present = [...clients.values()].filter(({ name }) => foldText(name).includes(text)).map(({ id }) => id);
  return { text, clientIds: new Set([...present, ...deleted]) };
}

/** DynamoDB's own limit. */
const MAX_OPERANDS = 100;

/** Only matches travel. With too many clients, entries are compared here alone. */
function conditionOf({ text, clientIds }: WantedText): SentFilter | undefined {
  if (clientIds.size > MAX_OPERANDS) return undefined;
  const clients = [...clientIds].map((id, index) => [`:client${index}`, id] as const);
  const ofClients = clients.length > 0 ? ` OR clientId IN (${clients.map(([name]) => name).join(', ')})` : '';
  return {
    FilterExpression: `(contains(searchText, :text)${ofClients})`,
    ExpressionAttributeValues: { ':text': text, ...Object.fromEntries(clients) },
  };
}

function hasText(entry: StoredEntry, { text, clientIds }: WantedText): boolean {
  return (entry.clientId !== null && clientIds.has(entry.clientId)) || searchTextOf(entry).includes(text);
}
