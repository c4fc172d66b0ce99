import * as v from 'valibot';
import { deletedPut } from '#shared/data/directory/deleted-clients.ts';
import { transactWithDirectory } from '#shared/data/directory/rows.ts';
import { externalIdWrites, rangeOfHolder } from '#shared/data/external-ids/external-ids.ts';
import { clientKey, clientNameOrder, clientPartition, countKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { contains, searchBound } from '#shared/data/table/collection.ts';
import { readCount, readRecentCount } from '#shared/data/table/counts.ts';
import { readItem, requireItem } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { details, metadata, metadataAttribute, nullableTexts, texts } from '#shared/data/table/members.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import { readConnection } from '#shared/data/table/relay-page.ts';
import { sparse } from '#shared/data/table/sparse.ts';
import { increase } from '#shared/data/table/sums.ts';
import type { TransactItem, Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { change, check, EXISTS, IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import type { Client } from '#shared/domain/clients/client.ts';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';
import { type CursorPage, directionOf, type Listed, type Paging } from '#shared/domain/page.ts';
import { referenceNotFound } from '#shared/domain/problems.ts';
import { baseLetters, foldText } from '#shared/domain/text.ts';

/** Folded copies of the searchable fields let DynamoDB filter, so only matches travel. */

/** Documents have copies of them. */
export const customerMembers = {
  ...texts('name'),
  ...nullableTexts('contact', 'buyerReference'),
  ...details,
  eInvoiceFormat: v.nullable(known(E_INVOICE_FORMATS, null)),
};

const stored = sparse(
  v.object({
    ...texts('id', 'organizationId', 'createdAt', 'updatedAt'),
    ...customerMembers,
    ...nullableTexts('currency', 'note', 'externalId'),
    metadata,
    version: v.number(),
  }),
);

type StoredClient = Client & Versioned;

const fromItem = v.parser(stored);

/** @throws Problem `not_found` */
export async function readClient(organizationId: string, id: string): Promise<StoredClient> {
  return fromItem(await requireItem(clientKey(organizationId, id)));
}

export async function findClients(organizationId: string, ids: Iterable<string>): Promise<Map<string, Client>> {
  const items = await batchGet([...ids].map((id) => clientKey(organizationId, id)));
  return new Map(items.map(fromItem).map((client) => [client.id, client]));
}

/** @throws Problem `reference_not_found` */
export async function requireClient(organizationId: string, id: string): Promise<StoredClient> {
  const item = await readItem(clientKey(organizationId, id));
  if (!item) throw referenceNotFound('clientId');
  return fromItem(item);
}

/** @throws Problem `external_id_taken` */
export async function insertClient(client: Client, others: readonly Write[]): Promise<void> {
  const { organizationId, id, name } = client;
  const writes = [
    put(toItem(client), fromItem, IS_ABSENT),
    ...externalIdWrites('CLIENT', null, client),
    increase(countKey(organizationId, 'CLIENT'), { all: 1 }),
    ...others,
  ];
  await transactWithDirectory(organizationId, writes, { id, after: name });
}

export function clientCheck(organizationId: string, id: string): TransactItem {
  return check(clientKey(organizationId, id), EXISTS);
}

/** @throws Problem `external_id_taken`; ConditionFailed */
export async function saveClient(before: StoredClient, after: Client, others: readonly Write[]): Promise<void> {
  if (after === before) return;
  const { organizationId, id } = before;
  const writes = [
    change(toItem(before), toItem(after), fromItem, unchangedSince(before)),
    ...externalIdWrites('CLIENT', before, after),
    ...others,
  ];
  await transactWithDirectory(organizationId, writes, { id, before: before.name, after: after.name });
}

export async function removeClient(client: StoredClient, others: readonly Write[]): Promise<void> {
  const { organizationId, id, name } = client;
  const writes = [
    remove(clientKey(organizationId, id), unchangedSince(client)),
    increase(countKey(organizationId, 'CLIENT'), { all: -1 }),
    deletedPut(organizationId, client),
    ...externalIdWrites('CLIENT', client, null),
    ...others,
  ];
  await transactWithDirectory(organizationId, writes, { id, before: name });
}

interface ListRequest extends Paging<keyof typeof INDEX_OF_ORDER> {
  readonly organizationId: string;
  readonly q?: string;
  readonly externalId?: string;
  readonly pay?: (clients: number) => Promise<void>;
}

const INDEX_OF_ORDER = { createdAt: undefined, name: 'byName' } as const;

/** A list without `q` takes its total from the count item, and reading stops at the end of the page. */
export async function readClients({
  organizationId,
  q,
  externalId,
  pay,
  pagination,
  limit,
  offset,
  orderBy,
  orderDirection,
  ...window
}: ListRequest): Promise<Listed<Client> | CursorPage<Client>> {
  const partition = clientPartition(organizationId);
  const filter = q ? contains(q, ['foldedName', 'foldedContact', 'foldedEmail']) : undefined;
  const counted = countKey(organizationId, 'CLIENT');
  const total = () => readCount(counted);
  const between = externalId === undefined ? undefined : await rangeOfHolder(organizationId, 'CLIENT', externalId);
  if (filter && !between) await pay?.(await readRecentCount(counted));
  const bound = searchBound();
  const direction = directionOf({ orderBy, orderDirection });
  const index = between ? undefined : INDEX_OF_ORDER[orderBy];
  const found = { partition, filter, between, bound };
  return pagination === 'cursor'
    ? readConnection({ ...found, index, direction, wanted: between && { q, externalId }, total }, window, fromItem)
    : readPage({ ...found, limit, offset, total: filter || between ? undefined : total }, fromItem);
}

function toItem(client: Client) {
  const { organizationId, id } = client;
  const foldedName = foldText(client.name);
  const { metadata: _, ...values } = v.parse(stored, { ...client, version: newVersion() });
  return {
    ...clientKey(organizationId, id),
    ...values,
    ...metadataAttribute(client.metadata),
    ...clientNameOrder(organizationId, [baseLetters(foldedName), foldedName], id),
    foldedName,
    foldedContact: foldText(client.contact ?? ''),
    foldedEmail: foldText(client.email ?? ''),
  };
}
