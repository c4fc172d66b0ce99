import * as v from 'valibot';
import {
  apiKeyIdKey,
  apiKeyKey,
  apiKeyPartition,
  billingPartition,
  calendarPartition,
  clientPartition,
  countKey,
  creditNoteLinesPartition,
  creditNotePartition,
  creditNoteRowPartition,
  dayPartition,
  deletedPartition,
  directoryPartition,
  emailKey,
  entryIdOf,
  entryKey,
  entryMetadataKey,
  eventPartition,
  externalIdPartition,
  feedKey,
  heldBackPartition,
  holdKey,
  importJobPartition,
  importUnitPartition,
  invitationKey,
  invoiceLinesPartition,
  invoicePartition,
  invoiceRowPartition,
  keptAnswerPartition,
  ledgerMonthPartition,
  ledgerYearPartition,
  linkPartition,
  lockPartition,
  logoPartition,
  numberPartition,
  outboxPartition,
  paymentPartition,
  productNamePartition,
  productPartition,
  productTextPartition,
  projectNamePartition,
  projectPartition,
  referenceKey,
  remoteNamePartition,
  rosterPartition,
  sessionPartition,
  userBucket,
  userNamePartition,
  userPartition,
  userTimerPartition,
  webhookPartition,
  withoutShard,
} from '#shared/data/layout/keys.ts';
import type { Clearing, Led } from '#shared/data/table/clear.ts';
import type { Item } from '#shared/data/table/query.ts';
import { foldEmail } from '#shared/domain/text.ts';

/**
 * Where the items of an organization lie, and which of them lead to others: all but those that begin and end with it
 * (`organizations.ts`). A test compares it with the kinds of items.
 */
export function belongingsOf(organizationId: string): Clearing[] {
  const owned = (partitionOf: (organizationId: string) => string): Clearing => ({
    partition: partitionOf(organizationId),
  });
  return [
    owned(webhookPartition),
    { ...owned(apiKeyPartition), leadsTo: keysOfApiKey },
    owned(rosterPartition),
    owned(outboxPartition),
    owned(eventPartition),
    { partition: feedKey(organizationId).pk },
    owned(logoPartition),
    { ...owned(importJobPartition), leadsTo: (item) => unitsOfImport(organizationId, item) },
    owned(heldBackPartition),
    { ...owned(invoicePartition), leadsTo: (item) => partsOfInvoice(organizationId, item) },
    owned(invoiceRowPartition),
    { ...owned(creditNotePartition), leadsTo: (item) => linesOfCreditNote(organizationId, item) },
    owned(creditNoteRowPartition),
    { ...owned(calendarPartition), leadsTo: (item) => daysOfMonth(organizationId, item) },
    owned(ledgerMonthPartition),
    owned(ledgerYearPartition),
    owned(billingPartition),
    owned(clientPartition),
    owned(deletedPartition),
    owned(projectPartition),
    owned(projectNamePartition),
    owned(externalIdPartition),
    owned(directoryPartition),
    owned(lockPartition),
    owned(productPartition),
    { partition: productNamePartition(organizationId, 'ALL') },
    { partition: productNamePartition(organizationId, 'ACTIVE') },
    owned(productTextPartition),
    owned(remoteNamePartition),
    { partition: countKey(organizationId, 'USER').pk },
    owned(numberPartition),
    { ...owned(userPartition), leadsTo: (item) => workOfUser(organizationId, item) },
    owned(userNamePartition),
    { ...owned(linkPartition), leadsTo: (item) => personOf(organizationId, item) },
  ];
}

const apiKey = v.object({ id: v.string(), hash: v.string() });

function keysOfApiKey(item: Item): Led {
  const { id, hash } = v.parse(apiKey, item);
  return { keys: [apiKeyKey(hash), apiKeyIdKey(id)] };
}

const link = v.object({ person: v.string(), userId: v.string() });

function personOf(organizationId: string, item: Item): Led {
  const { person, userId } = v.parse(link, item);
  return { keys: [referenceKey(person, organizationId), apiKeyKey(userBucket(organizationId, userId))] };
}

const identified = v.object({ id: v.string() });

function unitsOfImport(organizationId: string, item: Item): Led {
  const { id } = v.parse(identified, item);
  const partition = importUnitPartition(organizationId, id);
  return { partitions: [{ partition, leadsTo: (unit) => entriesOfUnit(organizationId, unit) }] };
}

const unit = v.object({ entryIds: v.array(v.string()) });

/** Only the unit leads to an imported entry that was removed here. */
function entriesOfUnit(organizationId: string, item: Item): Led {
  return { keys: v.parse(unit, item).entryIds.map((id) => entryKey(organizationId, id)) };
}

const invoice = v.object({ id: v.string(), holdId: v.optional(v.string()) });

function partsOfInvoice(organizationId: string, item: Item): Led {
  const { id, holdId } = v.parse(invoice, item);
  const partitions = [invoiceLinesPartition, paymentPartition].map((of) => ({ partition: of(organizationId, id) }));
  return { keys: holdId === undefined ? [] : [holdKey(organizationId, holdId)], partitions };
}

function linesOfCreditNote(organizationId: string, item: Item): Led {
  const { id } = v.parse(identified, item);
  return { partitions: [{ partition: creditNoteLinesPartition(organizationId, id) }] };
}

/** A month, or a shard of it, has counted on every day on which an entry was ever booked. */
function daysOfMonth(organizationId: string, { sk, ...counts }: Item): Led {
  const month = withoutShard(String(sk));
  const days = Object.keys(counts).flatMap((attribute) => /^e(\d\d)$/.exec(attribute)?.[1] ?? []);
  const partitions = days.map((day) => ({
    partition: dayPartition(organizationId, `${month}-${day}`),
    leadsTo: (row: Item) => itemsOfEntry(organizationId, row),
  }));
  return { partitions };
}

function itemsOfEntry(organizationId: string, { sk, hasMetadata }: Item): Led {
  const id = entryIdOf(String(sk));
  return { keys: [entryKey, ...(hasMetadata ? [entryMetadataKey] : [])].map((of) => of(organizationId, id)) };
}

const user = v.object({
  id: v.string(),
  email: v.nullable(v.string()),
  invitation: v.nullable(v.object({ hash: v.string() })),
});

function workOfUser(organizationId: string, item: Item): Led {
  const { id, email, invitation } = v.parse(user, item);
  const partitions = [userTimerPartition, sessionPartition, keptAnswerPartition];
  return {
    keys: [
      ...(email === null ? [] : [emailKey(organizationId, foldEmail(email))]),
      ...(invitation === null ? [] : [invitationKey(invitation.hash)]),
    ],
    partitions: partitions.map((of) => ({ partition: of(organizationId, id) })),
  };
}
