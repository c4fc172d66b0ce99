import { kindOf } from '#shared/data/layout/keys.ts';
import { pack, unpack } from '#shared/data/table/packed.ts';
import { declinedIdOf } from '#shared/data/tracker/entry-items.ts';
import type { Json } from './client.ts';
import type { Item } from './deletions.ts';
import type { User } from './given.ts';
import { exactly, putItems, scanTable } from './table-scan.ts';

/** Items as a newer version may have left them: with attributes, members and values that this one does not know. */

export const LATER = 'fromTheFuture';

export const later = { [LATER]: 'kept' };

const keyOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** How many values each entry has. */
const VALUES = 18;

/** Those behind them, which this version leaves out where they are empty: tags, and billed minutes. */
const EMPTY_END = [[], null];

/** The place of where an entry was imported from, among the values of an entry. */
const ORIGIN = 15;

function withLaterValues(json: string): string {
  const values: unknown[] = JSON.parse(json);
  const origin = values[ORIGIN];
  const known = [...values, ...EMPTY_END.slice(values.length - VALUES)];
  return JSON.stringify([...known.with(ORIGIN, Array.isArray(origin) ? [...origin, LATER] : origin), LATER]);
}

const isRoster = ({ pk }: Item): boolean => kindOf(String(pk)) === 'ROSTER';

async function rosterOf({ packed }: Item): Promise<Json[]> {
  return JSON.parse(JSON.stringify(await unpack(packed instanceof Uint8Array ? [packed] : [])));
}

async function fromTheFuture(item: Item): Promise<Item> {
  const { entry, product } = item;
  const [packed] = isRoster(item) ? await pack((await rosterOf(item)).map((key) => ({ ...key, ...later }))) : [];
  return {
    ...item,
    ...later,
    ...(packed && { packed }),
    ...(typeof entry === 'string' && { entry: withLaterValues(entry) }),
    ...(typeof product === 'string' && { product: JSON.stringify({ ...JSON.parse(product), ...later }) }),
  };
}

/** How often an item has what came from the future. */
async function traces(item: Item): Promise<number> {
  const roster = isRoster(item) ? await rosterOf(item) : [];
  const { entry = '', product = '' } = item;
  const texts = `${entry} ${product} ${JSON.stringify(roster.find((key) => LATER in key) ?? '')}`;
  return (item[LATER] === 'kept' ? 1 : 0) + texts.split(LATER).length - 1;
}

/** Made anew from others, with every change. So is the mark of an imported entry that was removed. */
const DERIVED = ['INVOICE_ROW', 'CREDIT_NOTE_ROW', 'PRODUCT_NAME', 'PRODUCT_TEXT'];

/** All items that tell of the users' organizations. */
async function itemsOf(users: readonly User[]): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of scanTable()) {
    const text = exactly(item);
    if (users.some(({ organization }) => text.includes(organization.id))) items.push(item);
  }
  return items;
}

/** Puts all items of some organizations as a newer version may have. @returns those that have lost some of that since */
export async function givenLaterItems(...users: readonly User[]): Promise<() => Promise<string[]>> {
  const written = await Promise.all((await itemsOf(users)).map(fromTheFuture));
  await putItems(written);
  return async () => {
    const after = new Map((await itemsOf(users)).map((item) => [keyOf(item), item]));
    const lost = [];
    for (const before of written) {
      const item = after.get(keyOf(before));
      const isAnother = DERIVED.includes(kindOf(String(before.pk))) || declinedIdOf(item) !== undefined;
      if (item && !isAnother && (await traces(item)) < (await traces(before))) lost.push(keyOf(before));
    }
    return lost;
  };
}
