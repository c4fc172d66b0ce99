import { randomUUID } from 'node:crypto';
import { PutCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { type Key, kindOf, layoutKey, organizationOf } from '#shared/data/dynamo/keys.ts';
import { LAYOUT, layoutPut, otherLayout, readLayout } from '#shared/data/dynamo/layout.ts';
import { acceptAnyLayout } from '#shared/data/dynamo/layout-check.ts';
import type { Item } from '#shared/data/dynamo/query.ts';
import { ConditionFailed, type TransactItem, transact } from '#shared/data/dynamo/transaction.ts';
import { renewalOf } from '#shared/data/migration/old-items.ts';
import { parseEntry } from '#shared/data/tracker/entry-items.ts';
import { countEntry, type Pages, pageItems, pageName } from '#shared/data/tracker/ledger.ts';

/**
 * Brings a table to the present layout, in three steps. First the table says its old layout together with the id of
 * this run: every function then refuses to work on it. Then each item of an older layout is rewritten, and the ledger
 * and the calendar become what a recount of all entries gives. Last the table says its new layout.
 *
 * A run may be stopped at any point and started again: rewritten items are left alone, and the recount begins anew.
 * Every write has the condition that the run's id is still in the table. So if a run was taken for dead and another
 * has begun, the first run writes nothing more.
 */

interface MigrationOptions {
  readonly print: (line: string) => void;
  /** How many items are read at a time; by default as many as DynamoDB hands out. */
  readonly itemsPerPage?: number;
}

/** @throws Error that says in one line why the table cannot be migrated */
export async function migrate(options: MigrationOptions): Promise<void> {
  acceptAnyLayout();
  const layout = await readLayout(database, TABLE_NAME);
  if (layout !== undefined && layout > LAYOUT) throw new Error(otherLayout(TABLE_NAME, layout));
  if (layout === undefined) await database.send(new PutCommand(layoutPut(TABLE_NAME, LAYOUT)));
  else if (layout < LAYOUT) await migrateFrom(layout, options);
  options.print(`The table ${TABLE_NAME} has layout ${LAYOUT}.`);
}

async function migrateFrom(layout: number, options: MigrationOptions): Promise<void> {
  options.print(`The table ${TABLE_NAME} has layout ${layout}: it is brought to layout ${LAYOUT}.`);
  const run = await begin(layout);
  const { counted, found } = await renewItems(run, options);
  const stale = [...found].filter(([name]) => !counted.has(name)).map(([, key]) => key);
  await write(run, [...pageItems(counted).map(put), ...stale.map(removal)]);
  options.print(`${counted.size} pages of ledgers and calendars are counted anew, ${stale.length} are removed.`);
  await fenced([{ Put: { ...layoutPut(TABLE_NAME, LAYOUT), ...isUnderWay(run) } }]);
}

/** @returns the id of this run */
async function begin(layout: number): Promise<string> {
  const run = randomUUID();
  const isSame = {
    ConditionExpression: 'attribute_not_exists(layout) OR layout = :layout',
    ExpressionAttributeValues: { ':layout': layout },
  };
  await fenced([{ Put: { ...layoutPut(TABLE_NAME, layout, run), ...isSame } }]);
  return run;
}

interface Reading {
  /** What all entries add to the ledger and the calendar. */
  readonly counted: Pages;
  /** The pages that the table has. */
  readonly found: Map<string, Key>;
}

/**
 * Rewrites items of an older layout. The scan may read a rewritten item too. An entry still counts once, because it
 * counts only where it lies by its id.
 */
async function renewItems(run: string, { print, itemsPerPage }: MigrationOptions): Promise<Reading> {
  const reading: Reading = { counted: new Map(), found: new Map() };
  const figures = { read: 0, written: 0 };
  for await (const items of readTable(itemsPerPage)) {
    const writes = items.flatMap((item) => renew(item, reading));
    await write(run, writes);
    figures.read += items.length;
    figures.written += writes.length;
    print(`${figures.read} items are read, ${figures.written} are written.`);
  }
  return reading;
}

async function* readTable(itemsPerPage: number | undefined): AsyncGenerator<Item[]> {
  let startKey: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey }: ScanCommandOutput = await database.send(
      new ScanCommand({
        TableName: TABLE_NAME,
        ConsistentRead: true,
        Limit: itemsPerPage,
        ExclusiveStartKey: startKey,
      }),
    );
    yield Items;
    startKey = LastEvaluatedKey;
  } while (startKey);
}

const SUMS: ReadonlySet<string> = new Set(['LEDGER', 'LEDGER_YEAR', 'CALENDAR']);

/** Notes what the item counts, and returns what is to be written instead of it. */
function renew(item: Item, { counted, found }: Reading): TransactItem[] {
  const key = keyOf(item);
  const renewal = renewalOf(item);
  if (SUMS.has(kindOf(key.pk))) found.set(pageName(key), key);
  if (kindOf(key.pk) === 'ENTRY') countEntry(counted, parseEntry(organizationOf(key.pk), renewal?.own ?? item));
  return renewal ? [...renewal.others.map(put), renewal.own ? put(renewal.own) : removal(key)] : [];
}

const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

const put = (Item: Item): TransactItem => ({ Put: { TableName: TABLE_NAME, Item } });

const removal = (Key: Key): TransactItem => ({ Delete: { TableName: TABLE_NAME, Key } });

/** DynamoDB writes 100 items in one transaction, and one of them is the condition. */
const WRITES_PER_TRANSACTION = 99;

async function write(run: string, writes: readonly TransactItem[]): Promise<void> {
  const condition = { ConditionCheck: { TableName: TABLE_NAME, Key: layoutKey, ...isUnderWay(run) } };
  for (let start = 0; start < writes.length; start += WRITES_PER_TRANSACTION) {
    await fenced([condition, ...writes.slice(start, start + WRITES_PER_TRANSACTION)]);
  }
}

const isUnderWay = (run: string) => ({
  ConditionExpression: 'run = :run',
  ExpressionAttributeValues: { ':run': run },
});

/** @throws Error that says so if another run has begun */
async function fenced(items: TransactItem[]): Promise<void> {
  try {
    await transact(items);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Error(`Another run has begun to migrate the table ${TABLE_NAME}: leave it to that one.`, {
      cause: error,
    });
  }
}
