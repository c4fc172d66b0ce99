import { createHash } from 'node:crypto';

/**
 * The single table: the only module that spells a key. It goes by areas, and each begins with its access patterns.
 *
 * Shards of a month of the calendar, a page of the ledger, a project and the lock lie right behind them: see {@link shardOf}.
 */

/*
 * Table
 *
 * | access pattern | key |
 * | --- | --- |
 * | which layout the table has | `LAYOUT`, `LAYOUT` |
 * | how many users, clients, projects, invoices, credit notes or import jobs there are | `ORG#<org>#COUNT`, {@link Counted} |
 */

/**
 * What this version writes. Raise it with every change of a key, an item, an attribute or the order of an entry's values.
 * The version before carries what it does not know (`shared/data/table/writes.ts`), so these are no such change:
 * - an attribute, or a value behind those of an entry, that reads as null where an item lacks it
 * - a value of an enumeration that the version before may show as its neutral one (`known`)
 *
 * A value by which figures or files are made is a change: a category of tax, a kind of payment, a way to credit a line.
 * What is derived may lack an attribute that was added, since the version before makes it anew.
 */
export const LAYOUT = 21;

/**
 * Those of the tables that this version works on. A change of the layout keeps the one of the last release until its
 * data have moved (`infra/RUNBOOK.md`, "Change the layout of the table").
 */
const ACCEPTED_LAYOUTS: ReadonlySet<number> = new Set([LAYOUT]);

/** @param layout undefined for a new table */
export const acceptsLayout = (layout: number | undefined): boolean =>
  layout === undefined || ACCEPTED_LAYOUTS.has(layout);

export const layoutKey: Key = { pk: 'LAYOUT', sk: 'LAYOUT' };

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Each kind of an organization's items has a partition, and most lie in it by their id. */
const partitionOf = (kind: string) => (organizationId: string) => `ORG#${organizationId}#${kind}`;

/** Some objects have a partition of their own beside that, by their id or their date. */
const partitionOfEach = (kind: string) => (organizationId: string, id: string) => `ORG#${organizationId}#${kind}#${id}`;

const keyIn =
  <Sort>(partition: (organizationId: string) => string, sortOf: (sort: Sort) => string) =>
  (organizationId: string, sort: Sort): Key => ({ pk: partition(organizationId), sk: sortOf(sort) });

const asItIs = (id: string): string => id;

const idIn = (partition: (organizationId: string) => string) => keyIn(partition, asItIs);

const keyInEach =
  <Sort>(partition: (organizationId: string, id: string) => string, sortOf: (sort: Sort) => string) =>
  (organizationId: string, id: string, sort: Sort): Key => ({ pk: partition(organizationId, id), sk: sortOf(sort) });

/** An item that a partition has once. */
const onlyIn =
  <Owner extends readonly string[]>(partition: (...owner: Owner) => string, sk: string) =>
  (...owner: Owner): Key => ({ pk: partition(...owner), sk });

const ID_LENGTH = 36;

/** In a pattern of IAM. `*` would stand for the separators of keys too, and so for items of any kind. */
export const ANY_ID = '?'.repeat(ID_LENGTH);

/** In a pattern of IAM: whatever lies under the keys of an organization. */
export const partitionsOfOrganizations = `ORG#${ANY_ID}*`;

/** The kind is `LEDGER` for `ORG#<org>#LEDGER`, and `LAYOUT` for a partition of no organization. */
export function kindOf(partition: string): string {
  const [scope = '', , kind = scope] = partition.split('#');
  return kind;
}

/** A sort key has at most 1,024 bytes, and a folded name of a few hundred characters can exceed that. */
const nameDigest = (foldedName: string): string => createHash('sha256').update(foldedName).digest('hex');

export const sortKeyRange = (first: string, last = first) => ({ from: first, to: `${last}~~` });

/** An item that many write to has shards. */
const SHARDS = 4;

/** @param key of the item or of another of its shards, whose counts add up */
export const shardOf = ({ pk, sk }: Key, shard: number): Key => ({ pk, sk: `${withoutShard(sk)}~${shard}` });

export const shardsOf = (key: Key): Key[] => Array.from({ length: SHARDS }, (_, index) => shardOf(key, index + 1));

export const withoutShard = (sk: string): string => sk.replace(/~\d$/, '');

/** DynamoDB takes 1,024 bytes of a sort key, also of the separator and the id. */
const MAX_ORDER_VALUE_BYTES = 1_024 - 1 - 36;

/** It sorts before all characters of a value, so "Ann" comes before "Ann B". */
const SEPARATOR = '\u0001';

function orderSort(value: string, id: string): string {
  const { read } = new TextEncoder().encodeInto(value, new Uint8Array(MAX_ORDER_VALUE_BYTES));
  return `${value.slice(0, read)}${SEPARATOR}${id}`;
}

export type Counted = 'USER' | 'PRODUCT' | 'CLIENT' | 'PROJECT' | 'INVOICE' | 'CREDIT_NOTE' | 'IMPORT_JOB';

const countPartition = partitionOf('COUNT');

/** A reader of the newest products meets their count first, behind all ids, and need not ask for it. */
export const countKey = (organizationId: string, counted: Counted): Key =>
  counted === 'PRODUCT'
    ? { pk: productPartition(organizationId), sk: '~COUNT' }
    : { pk: countPartition(organizationId), sk: counted };

/** Sorts behind everything that is due at an instant, because `~` sorts behind the separator. */
export const dueBy = (instant: string): string => `${instant}~`;

/*
 * API keys and people who sign in
 *
 * | access pattern | key |
 * | --- | --- |
 * | authenticate a key and lease tokens | `KEY#<sha256>`, `KEY` |
 * | lease tokens of a user who has signed in | `KEY#<org>:<user>`, `KEY` |
 * | lease tokens of a person who acts as no user | `KEY#PERSON#<digest>`, `KEY` |
 * | the users that a person who has signed in is, one in each organization | `PERSON#<digest>`, organization |
 * | the people who are the users of an organization, by user | `ORG#<org>#LINK`, `<user>#<digest of the person>` |
 * | the organization of a key's id | `KEYID#<id>`, `KEY` |
 * | an organization's key, by its id | `ORG#<org>#APIKEY`, id |
 * | which keys of an organization live | `ORG#<org>#ROSTER`, `ROSTER` |
 * | the active users with an email, one in each organization | `EMAIL#<digest of the folded email>`, organization |
 * | the user whom the code of an open invitation links | `INVITATION#<sha256 of the code>`, `INVITATION` |
 */

export const apiKeyKey = (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' });

/** The name of a user's bucket, where a key has its hash. A person who acts as no user has `personPartition`. */
export const userBucket = (organizationId: string, userId: string): string => `${organizationId}:${userId}`;

export const apiKeyIdKey = (id: string): Key => ({ pk: `KEYID#${id}`, sk: 'KEY' });

export const apiKeyPartition = partitionOf('APIKEY');
export const apiKeyListingKey = idIn(apiKeyPartition);
export const rosterPartition = partitionOf('ROSTER');

export const rosterKey = onlyIn(rosterPartition, 'ROSTER');

const PERSON = 'PERSON#';

/** Issuer and subject may have any character; JSON keeps them apart. */
export const personPartition = (issuer: string, subject: string): string =>
  `${PERSON}${nameDigest(JSON.stringify([issuer, subject]))}`;

export const personPartitions = `${PERSON}*`;

/** @param partition of a person or of an email: both have an item for each organization */
export const referenceKey = (partition: string, organizationId: string): Key => ({ pk: partition, sk: organizationId });

export const linkPartition = partitionOf('LINK');

/** @param partition of the person */
export const linkKey = (organizationId: string, userId: string, partition: string): Key => ({
  pk: linkPartition(organizationId),
  sk: `${userId}#${partition.slice(PERSON.length)}`,
});

export const invitationKey = (hash: string): Key => ({ pk: `INVITATION#${hash}`, sk: 'INVITATION' });

export const emailPartition = (foldedEmail: string): string => `EMAIL#${nameDigest(foldedEmail)}`;

export const emailPartitions = 'EMAIL#*';

export const emailKey = (organizationId: string, foldedEmail: string): Key =>
  referenceKey(emailPartition(foldedEmail), organizationId);

/*
 * Organizations and users
 *
 * | access pattern | key |
 * | --- | --- |
 * | an organization by its name | `ORGANIZATION_NAMES`, digest of the folded name |
 * | all organizations, newest first | `ORGANIZATIONS`, id |
 * | how many organizations there are, and are being deleted | `ORGANIZATIONS#COUNT`, `COUNT` |
 * | an organization by its id | `ORG#<org>`, `ORGANIZATION` |
 * | organizations whose deletion is due | index `byDue`: `DUE_DELETION`, when and organization |
 * | a logo, by its hash, which documents keep | `ORG#<org>#LOGO`, SHA-256 |
 * | an active user by its name | `ORG#<org>#USERNAME`, digest of the folded name |
 * | a user; all users, newest first | `ORG#<org>#USER`, id |
 */

export const organizationNamePartition = 'ORGANIZATION_NAMES';

export const organizationNameKey = (foldedName: string): Key => ({
  pk: organizationNamePartition,
  sk: nameDigest(foldedName),
});

export const organizationPartition = 'ORGANIZATIONS';

export const organizationListingKey = (organizationId: string): Key => ({
  pk: organizationPartition,
  sk: organizationId,
});

export const organizationCountKey: Key = { pk: `${organizationPartition}#COUNT`, sk: 'COUNT' };

export const organizationKey = (organizationId: string): Key => ({ pk: `ORG#${organizationId}`, sk: 'ORGANIZATION' });

/** Deletions are too few to need shards. */
export const dueDeletions = 'DUE_DELETION';

export const deletionDueKey = (organizationId: string, dueAt: string) => ({
  duePk: dueDeletions,
  dueSk: `${dueAt}#${organizationId}`,
});

export const logoPartition = partitionOf('LOGO');
export const logoKey = idIn(logoPartition);

export const userNamePartition = partitionOf('USERNAME');

/** By the folded name. */
export const userNameKey = keyIn(userNamePartition, nameDigest);

export const userPartition = partitionOf('USER');
export const userKey = idIn(userPartition);

/*
 * Names of clients, projects and users, and the closed period
 *
 * | access pattern | key |
 * | --- | --- |
 * | what all projects, clients and users are called | `ORG#<org>#DIRECTORY`, `ROWS#<last two digits of the ids>` |
 * | which of them have come, changed or gone since a version | the same, `CHANGES#<number of changes up to these>` |
 * | the last date on which entries are locked, in five equal items | `ORG#<org>#LOCK`, `LOCK` |
 * | the former name of a deleted client; all such names | `ORG#<org>#DELETED`, id |
 */

export const directoryPartition = partitionOf('DIRECTORY');

/** Ids end in random hexadecimal digits, so there are up to 256 such items. */
export const directoryRowsKey = keyIn(directoryPartition, (id: string) => `ROWS#${id.slice(-2)}`);

export const directoryRows = sortKeyRange('ROWS#');

const directoryChangesSort = (version: number): string => `CHANGES#${String(version).padStart(10, '0')}`;

export const directoryChangesKey = keyIn(directoryPartition, directoryChangesSort);

/** Sorts behind all versions. */
const LAST_CHANGES = 'CHANGES#~';

export const lastDirectoryChangesKey = onlyIn(directoryPartition, LAST_CHANGES);

export const directoryChangesAfter = (version: number) => ({
  from: directoryChangesSort(version + 1),
  to: LAST_CHANGES,
});

export const deletedPartition = partitionOf('DELETED');
export const deletedKey = idIn(deletedPartition);

export const lockPartition = partitionOf('LOCK');

/** As long as nobody else is writing an entry. Its shards are equal to it. */
export const lockKey = onlyIn(lockPartition, 'LOCK');

export const lockKeys = (organizationId: string): Key[] => {
  const key = lockKey(organizationId);
  return [key, ...shardsOf(key)];
};

/*
 * Products, clients and projects
 *
 * | access pattern | key |
 * | --- | --- |
 * | a product; all products, newest first, behind their count | `ORG#<org>#PRODUCT`, id (UUIDs v7 sort by creation) |
 * | how many products there are | `ORG#<org>#PRODUCT`, `~COUNT` |
 * | names of all or of active products, newest first | `ORG#<org>#PRODUCT_NAME#<ALL or ACTIVE>`, id |
 * | texts of active products, in ranges read in parallel | `ORG#<org>#PRODUCT_TEXT`, `<last digit of the id>#<id>` |
 * | a client; all clients, newest first | `ORG#<org>#CLIENT`, id |
 * | all clients by name | index `byName`: `ORG#<org>#CLIENT`, base letters, folded name where it differs, and id |
 * | a project; all projects, newest first | `ORG#<org>#PROJECT`, id |
 * | whether a project name is taken | `ORG#<org>#NAME`, `PROJECT#<digest of the folded name>` |
 * | the product, client or invoice that another system calls so | `ORG#<org>#EXTERNAL_ID`, `<kind>#<digest>` |
 */

export const productPartition = partitionOf('PRODUCT');
export const productKey = idIn(productPartition);

export type NamedProducts = 'ALL' | 'ACTIVE';

export const productNamePartition = (organizationId: string, named: NamedProducts): string =>
  `ORG#${organizationId}#PRODUCT_NAME#${named}`;

export const productNameKey = (organizationId: string, named: NamedProducts, id: string): Key => ({
  pk: productNamePartition(organizationId, named),
  sk: id,
});

export const productTextPartition = partitionOf('PRODUCT_TEXT');

const productTextPrefix = (digit: string): string => `${digit}#`;

export const productTextPrefixes: readonly string[] = [...'0123456789abcdef'].map(productTextPrefix);

export const productTextKey = keyIn(productTextPartition, (id: string) => `${productTextPrefix(id.slice(-1))}${id}`);

export const clientPartition = partitionOf('CLIENT');
export const clientKey = idIn(clientPartition);

export const clientNameOrder = (
  organizationId: string,
  [baseLetters, foldedName]: readonly [string, string],
  id: string,
) => ({
  namePk: clientPartition(organizationId),
  nameSk: orderSort([baseLetters, baseLetters === foldedName ? '' : foldedName].join(SEPARATOR), id),
});

export const projectPartition = partitionOf('PROJECT');
export const projectKey = idIn(projectPartition);
export const projectNamePartition = partitionOf('NAME');

export const projectNameKey = keyIn(projectNamePartition, (folded: string) => `PROJECT#${nameDigest(folded)}`);

export type ExternallyNamed = Extract<Counted, 'PRODUCT' | 'CLIENT' | 'INVOICE'>;

export const externalIdPartition = partitionOf('EXTERNAL_ID');

export const externalIdKey = keyIn(
  externalIdPartition,
  ([kind, externalId]: readonly [ExternallyNamed, string]) => `${kind}#${nameDigest(externalId)}`,
);

/*
 * Entries and their sums
 *
 * | access pattern | key |
 * | --- | --- |
 * | an entry, or that an imported one was removed | `ORG#<org>#ENTRY#<id>`, `ENTRY` |
 * | the metadata of an entry that has some | `ORG#<org>#ENTRY#<id>`, `METADATA` |
 * | the entries of a day, of a client, of a client's project | `ORG#<org>#DAY#<date>`, `<client>#<project>#<order>` |
 * | how many entries each month and day of a range has | `ORG#<org>#CALENDAR`, `<month>` |
 * | the ledger of months, or of a client in a month, by day | `ORG#<org>#LEDGER`, `<month>#<client>#<project>#...` |
 * | the ledger of years, or of a project, by month | `ORG#<org>#LEDGER_YEAR`, `<year>#<project>#<client>#...` |
 */

const entryPartition = partitionOfEach('ENTRY');

export const entryKey = onlyIn(entryPartition, 'ENTRY');
export const entryMetadataKey = onlyIn(entryPartition, 'METADATA');

export const dayPartition = partitionOfEach('DAY');

interface OrderedEntry {
  readonly id: string;
  readonly startedAt: string | null;
  readonly createdAt: string;
}

interface DatedEntry extends OrderedEntry {
  readonly organizationId: string;
  /** `YYYY-MM-DD` */
  readonly entryDate: string;
  readonly clientId: string | null;
  readonly projectId: string | null;
}

export const dayKey = (entry: DatedEntry): Key => ({
  pk: dayPartition(entry.organizationId, entry.entryDate),
  sk: `${dayPrefix(entry.clientId, entry.projectId)}${dayOrder(entry)}`,
});

/** By start, then by creation, those without a start first. Lists go backwards. */
export const dayOrder = ({ startedAt, createdAt, id }: OrderedEntry): string => `${startedAt ?? ''}#${createdAt}#${id}`;

/** @param sk of an entry's row on its day */
export const entryIdOf = (sk: string): string => sk.slice(-ID_LENGTH);

export const dayPrefix = (clientId: string | null, projectId?: string | null): string =>
  projectId === undefined ? `${clientId ?? '-'}#` : `${clientId ?? '-'}#${projectId ?? '-'}#`;

export const calendarPartition = partitionOf('CALENDAR');
/** By month. */
export const calendarKey = idIn(calendarPartition);

export interface Dimensions {
  readonly projectId: string | null;
  readonly clientId: string | null;
  readonly currency: string;
  readonly source: string;
  readonly billable: boolean;
}

const pageEnd = ({ currency, source, billable }: Dimensions): string =>
  [currency, source, billable ? '1' : '0'].join('#');

export const ledgerMonthPartition = partitionOf('LEDGER');

export const ledgerMonthKey = (organizationId: string, month: string, dimensions: Dimensions): Key => ({
  pk: ledgerMonthPartition(organizationId),
  sk: `${ledgerMonthPrefix(month, dimensions.clientId, dimensions.projectId)}${pageEnd(dimensions)}`,
});

export const ledgerMonthPrefix = (month: string, clientId: string | null, projectId?: string | null): string =>
  `${month}#${dayPrefix(clientId, projectId)}`;

export const ledgerYearPartition = partitionOf('LEDGER_YEAR');

export const ledgerYearKey = (organizationId: string, year: string, dimensions: Dimensions): Key => ({
  pk: ledgerYearPartition(organizationId),
  sk: `${ledgerYearPrefix(year, dimensions.projectId)}${dimensions.clientId ?? '-'}#${pageEnd(dimensions)}`,
});

export const ledgerYearPrefix = (year: string, projectId: string | null): string => `${year}#${projectId ?? '-'}#`;

export function ledgerPageOf(sk: string): { readonly period: string; readonly dimensions: Dimensions } {
  const [period = '', first = '-', second = '-', currency = '', source = '', billable] = withoutShard(sk).split('#');
  const [clientId, projectId] = period.length === 'YYYY'.length ? [second, first] : [first, second];
  const id = (part: string) => (part === '-' ? null : part);
  const dimensions = { projectId: id(projectId), clientId: id(clientId), currency, source, billable: billable === '1' };
  return { period, dimensions };
}

/*
 * Timers
 *
 * | access pattern | key |
 * | --- | --- |
 * | a user's running timer | `ORG#<org>#USER#<user>`, `TIMER` |
 * | a user's timer sessions, newest first | `ORG#<org>#USER#<user>#SESSION`, id |
 * | how many timer sessions of each status a user has | `ORG#<org>#USER#<user>`, `SESSIONS` |
 */

export const userTimerPartition = partitionOfEach('USER');

export const runningTimerKey = onlyIn(userTimerPartition, 'TIMER');

export const sessionCountKey = onlyIn(userTimerPartition, 'SESSIONS');

export const sessionPartition = (organizationId: string, userId: string): string =>
  `ORG#${organizationId}#USER#${userId}#SESSION`;

export const sessionKey = keyInEach(sessionPartition, asItIs);

/*
 * Answers to an `Idempotency-Key`
 *
 * | access pattern | key |
 * | --- | --- |
 * | the answer to an `Idempotency-Key` of a user | `ORG#<org>#IDEMPOTENCY#<user>`, `REQUEST#<digest of the key>` |
 * | the parts of a large answer | the same, `ANSWER#<digest of the key>#<attempt>#<part>` |
 * | how many answers that wrote something were kept of a user, by hour | the same, `KEPT#<hour>` |
 * | how many refusals were kept of a user; the last 1,000 | the same; `RING`, `SLOT#<slot>` |
 */

/** All that is kept of a user, also what nothing else leads to. */
export const keptAnswerPartition = partitionOfEach('IDEMPOTENCY');

const REQUEST = 'REQUEST#';

export const idempotencyKey = keyInEach(keptAnswerPartition, (key: string) => `${REQUEST}${nameDigest(key)}`);

/** @param request its `idempotencyKey` */
export const keptAnswerKey = ({ pk, sk }: Key, attempt: string, part: number): Key => ({
  pk,
  sk: `ANSWER#${sk.slice(REQUEST.length)}#${attempt}#${part}`,
});

/** @param moment ISO 8601 */
const keptHour = (moment: string): string => `KEPT#${moment.slice(0, 'YYYY-MM-DDTHH'.length)}`;

export const keptCountKey = keyInEach(keptAnswerPartition, keptHour);

/** The range of sort keys of the hours from one moment to another. */
export const keptHours = (from: string, to: string) => ({ from: keptHour(from), to: keptHour(to) });

/** @param sk of a count @returns when its hour begins, in ISO 8601 */
export const hourOfKept = (sk: string): string => `${sk.slice('KEPT#'.length)}:00:00.000Z`;

export const ringKey = onlyIn(keptAnswerPartition, 'RING');

export const ringSlotKey = keyInEach(keptAnswerPartition, (slot: number) => `SLOT#${slot}`);

/*
 * Remote connections and imports
 *
 * | access pattern | key |
 * | --- | --- |
 * | an organization's remote connection | `ORG#<org>`, `REMOTE` |
 * | remote connections that are due to be synced | index `byDue`: `DUE#<0 to 7>`, when and organization |
 * | whether the provider fails | `PROVIDER`, `BREAKER` |
 * | what a remote name stands for | `ORG#<org>#REMOTE_NAME`, `<CLIENT, PROJECT or USER>#<digest of account and name>` |
 * | an import job; all jobs, newest first | `ORG#<org>#IMPORT_JOB`, id |
 * | which units of a job are done, with the entries that they made | `ORG#<org>#IMPORT_JOB#<id>`, number of the unit |
 * | rows that imports have held back from invoiced entries, of an account, by day | `ORG#<org>#HELD_BACK`, `<digest of account>#<day>#<entry>` |
 * | jobs that nobody goes on with | index `byDue`: `DUE_IMPORT#<0 to 7>`, when due, organization and id |
 */

export const connectionKey = (organizationId: string): Key => ({ pk: `ORG#${organizationId}`, sk: 'REMOTE' });

export const breakerKey: Key = { pk: 'PROVIDER', sk: 'BREAKER' };

export type RemoteNameKind = 'CLIENT' | 'PROJECT' | 'USER';

export const remoteNamePartition = partitionOf('REMOTE_NAME');

/** Account and name may contain any character; JSON keeps them apart. */
export const remoteNameKey = (organizationId: string, accountId: string, kind: RemoteNameKind, name: string): Key => ({
  pk: remoteNamePartition(organizationId),
  sk: `${kind}#${nameDigest(JSON.stringify([accountId, name]))}`,
});

export const importJobPartition = partitionOf('IMPORT_JOB');
export const importJobKey = idIn(importJobPartition);

export const importUnitPartition = partitionOfEach('IMPORT_JOB');

/** A job has at most 10,000 units, one for each row. */
export const importUnitKey = keyInEach(importUnitPartition, (unit: number) => String(unit).padStart(5, '0'));

export const heldBackPartition = partitionOf('HELD_BACK');

const heldBackPrefix = (accountId: string): string => `${nameDigest(accountId)}#`;

export const heldBackKey = (organizationId: string, accountId: string, date: string, entryId: string): Key => ({
  pk: heldBackPartition(organizationId),
  sk: `${heldBackPrefix(accountId)}${date}#${entryId}`,
});

export const heldBackOf = (accountId: string) => sortKeyRange(heldBackPrefix(accountId));

/** A partition takes a thousand writes a second. All of them are read in parallel. */
const DUE_PARTITIONS = 8;

const duePartitionsOf = (name: string): string[] =>
  Array.from({ length: DUE_PARTITIONS }, (_, index) => `${name}#${index}`);

const duePartitionOf = (name: string, organizationId: string): string =>
  `${name}#${Number.parseInt(organizationId.slice(-1), 16) % DUE_PARTITIONS}`;

export const dueConnectionPartitions: readonly string[] = duePartitionsOf('DUE');

export const connectionDueKey = (organizationId: string, dueAt: string) => ({
  duePk: duePartitionOf('DUE', organizationId),
  dueSk: `${dueAt}#${organizationId}`,
});

export function dueOf(dueSk: string): { readonly dueAt: string; readonly organizationId: string } {
  const [dueAt = '', organizationId = ''] = dueSk.split('#');
  return { dueAt, organizationId };
}

export const dueImportPartitions: readonly string[] = duePartitionsOf('DUE_IMPORT');

export const importDueKey = (organizationId: string, jobId: string, dueAt: string) => ({
  duePk: duePartitionOf('DUE_IMPORT', organizationId),
  dueSk: `${dueAt}#${organizationId}#${jobId}`,
});

/** Of an import, or of a webhook. */
export function dueObjectOf(dueSk: string): { readonly organizationId: string; readonly id: string } {
  const [, organizationId = '', id = ''] = dueSk.split('#');
  return { organizationId, id };
}

/*
 * Invoices, credit notes and holds
 *
 * | access pattern | key |
 * | --- | --- |
 * | an invoice; all invoices, newest first | `ORG#<org>#INVOICE`, id |
 * | what lists of invoices filter by, newest first | `ORG#<org>#INVOICE_ROW`, id |
 * | the same by issue date, due date, number, total | indexes `byIssueDate`, `byDueDate`, `byNumber`, `byTotal`: `ORG#<org>#INVOICE`, value and id |
 * | the lines of a long invoice | `ORG#<org>#INVOICE#<id>`, `LINES#<id of these lines>#<part>` |
 * | what was credited of each line of an invoice | `ORG#<org>#INVOICE#<id>`, `CREDITED#<id of this state>#<part>` |
 * | a payment of an invoice; all payments, newest first | `ORG#<org>#INVOICE#<id>#PAYMENT`, id |
 * | how invoices are numbered, and the last number | `ORG#<org>#COUNT`, `INVOICE_NUMBER` |
 * | a credit note; all credit notes, newest first | `ORG#<org>#CREDIT_NOTE`, id |
 * | what lists of credit notes filter by, newest first | `ORG#<org>#CREDIT_NOTE_ROW`, id |
 * | the same by issue date, number, total | indexes `byIssueDate`, `byNumber`, `byTotal`: `ORG#<org>#CREDIT_NOTE`, value and id |
 * | the lines and taxes of a long credit note | `ORG#<org>#CREDIT_NOTE#<id>`, `LINES#<part>` |
 * | how credit notes are numbered, and the last number | `ORG#<org>#COUNT`, `CREDIT_NOTE_NUMBER` |
 * | the last number of a year or a month | `ORG#<org>#NUMBER`, `<kind>#SERIES#<period>#<format>` |
 * | whether a number was given; the place of a format without a year that was used | the same, `<kind>#GIVEN#<number>`, `<kind>#FORMAT#<format>` |
 * | whether a hold exists, and which entries it does not hold | `ORG#<org>#HOLD#<id>`, `HOLD` |
 * | which request is billing a client's time | `ORG#<org>#BILLING`, id of the client |
 */

export const invoicePartition = partitionOf('INVOICE');
export const invoiceKey = idIn(invoicePartition);
export const invoiceRowPartition = partitionOf('INVOICE_ROW');
export const invoiceRowKey = idIn(invoiceRowPartition);

export const invoiceLinesPartition = partitionOfEach('INVOICE');

/** @param linesId of these lines; a change of lines makes a new id */
export const invoiceLinesKey = (organizationId: string, id: string, linesId: string, part: number): Key => ({
  pk: invoiceLinesPartition(organizationId, id),
  sk: `LINES#${linesId}#${part}`,
});

/** @param stateId of this state; each credit makes a new one */
export const invoiceCreditsKey = (organizationId: string, id: string, stateId: string, part: number): Key => ({
  pk: invoiceLinesPartition(organizationId, id),
  sk: `CREDITED#${stateId}#${part}`,
});

export type Numbered = Extract<Counted, 'INVOICE' | 'CREDIT_NOTE'>;

export const numberingKey = keyIn(countPartition, (kind: Numbered) => `${kind}_NUMBER`);

export const numberPartition = partitionOf('NUMBER');

interface SeriesId {
  readonly kind: Numbered;
  readonly format: string;
  /** `YYYY` or `YYYY-MM` */
  readonly period: string;
}

export const seriesKey = keyIn(
  numberPartition,
  ({ kind, format, period }: SeriesId) => `${kind}#SERIES#${period}#${format}`,
);

export const givenNumberKey = keyIn(
  numberPartition,
  ([kind, number]: readonly [Numbered, string]) => `${kind}#GIVEN#${number}`,
);

export const usedFormatKey = keyIn(
  numberPartition,
  ([kind, format]: readonly [Numbered, string]) => `${kind}#FORMAT#${format}`,
);

/**
 * Where a number stands: by its series, in the order of their first use, then by position. Documents of the format by
 * default that were there before an organization chose its own have none, and stand before all others.
 *
 * @param series how many others were used before it
 */
export const numberPlace = (series: number, position: number): string =>
  `S${String(series).padStart(6, '0')}#${String(position).padStart(9, '0')}`;

export const paymentPartition = (organizationId: string, invoiceId: string): string =>
  `ORG#${organizationId}#INVOICE#${invoiceId}#PAYMENT`;

export const paymentKey = keyInEach(paymentPartition, asItIs);

export const creditNotePartition = partitionOf('CREDIT_NOTE');
export const creditNoteKey = idIn(creditNotePartition);
export const creditNoteRowPartition = partitionOf('CREDIT_NOTE_ROW');
export const creditNoteRowKey = idIn(creditNoteRowPartition);

export const creditNoteLinesPartition = partitionOfEach('CREDIT_NOTE');

export const creditNoteLinesKey = keyInEach(creditNoteLinesPartition, (part: number) => `LINES#${part}`);

/** What lean rows and indexes have of an invoice or a credit note: all that their lists filter by. */
export const FILTERED_ATTRIBUTES: readonly string[] = ['status', 'clientId', 'invoiceId', 'issueDate', 'dueDate'];

/** Sorts behind all values. */
const ABSENT = '~';

interface OrderedInvoice {
  readonly organizationId: string;
  readonly id: string;
  /** `YYYY-MM-DD` */
  readonly issueDate: string;
  readonly dueDate: string | null;
  readonly number: string | null;
  readonly numberPlace: string | null;
  readonly total: string;
}

type OrderedDocument = Omit<OrderedInvoice, 'dueDate'>;

const numberSort = (number: string): string => number.replace(/(?<!\d)\d+$/, (digits) => digits.padStart(12, '0'));

const documentOrders = (partition: string, { id, issueDate, number, numberPlace: place, total }: OrderedDocument) => ({
  byIssueDatePk: partition,
  byIssueDateSk: orderSort(issueDate, id),
  byNumberPk: partition,
  byNumberSk: orderSort(place ?? (number === null ? ABSENT : numberSort(number)), id),
  byTotalPk: partition,
  byTotalSk: orderSort(numericSort(total), id),
});

export const invoiceOrders = (invoice: OrderedInvoice) => ({
  ...documentOrders(invoicePartition(invoice.organizationId), invoice),
  byDueDatePk: invoicePartition(invoice.organizationId),
  byDueDateSk: orderSort(invoice.dueDate ?? ABSENT, invoice.id),
});

export const creditNoteOrders = (creditNote: OrderedDocument) =>
  documentOrders(creditNotePartition(creditNote.organizationId), creditNote);

/** Both inclusive. */
export const dateOrderRange = ({
  from = '0',
  to = '9999-12-31',
}: {
  readonly from?: string;
  readonly to?: string;
}) => ({
  from,
  to: orderSort(to, '~'),
});

/** More digits than the whole part of any sum of lines has. The fraction has as many as the smallest minor unit. */
const WHOLE_DIGITS = 32;
const FRACTION_DIGITS = 3;

/** Decimal strings of one length sort as numbers do. */
const numericSort = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.');
  return `${whole.padStart(WHOLE_DIGITS, '0')}.${fraction.padEnd(FRACTION_DIGITS, '0')}`;
};

export const holdKey = onlyIn(partitionOfEach('HOLD'), 'HOLD');

export const billingPartition = partitionOf('BILLING');
export const billingKey = idIn(billingPartition);

/*
 * Events
 *
 * | access pattern | key |
 * | --- | --- |
 * | what has happened and has no number yet, in the order of time | `ORG#<org>#OUTBOX`, id of the first event |
 * | the numbered events, in their order | `ORG#<org>#EVENT`, number of the first one of a page |
 * | up to where they are numbered, and from where on they are kept | `ORG#<org>#FEED`, `FEED` |
 * | a webhook; all webhooks, newest first | `ORG#<org>#WEBHOOK`, id |
 * | webhooks that are due to be looked after | index `byDue`: `DUE_WEBHOOK#<0 to 7>`, when due, organization and id |
 */

export const outboxPartition = partitionOf('OUTBOX');
export const outboxKey = idIn(outboxPartition);

/** Behind all that was recorded before this time. */
export const outboxSortAt = (milliseconds: number): string => {
  const digits = milliseconds.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
};

export const eventPartition = partitionOf('EVENT');

/** Numbers of one length sort as strings do. */
export const eventSort = (sequence: number): string => String(sequence).padStart(15, '0');

/** @param first the number of its first event */
export const eventPageKey = keyIn(eventPartition, eventSort);

export const feedKey = onlyIn(partitionOf('FEED'), 'FEED');

export const webhookPartition = partitionOf('WEBHOOK');
export const webhookKey = idIn(webhookPartition);

export const dueWebhookPartitions: readonly string[] = duePartitionsOf('DUE_WEBHOOK');

export const webhookDueKey = (organizationId: string, id: string, dueAt: string) => ({
  duePk: duePartitionOf('DUE_WEBHOOK', organizationId),
  dueSk: `${dueAt}#${organizationId}#${id}`,
});
