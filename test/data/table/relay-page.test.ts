import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertClient, readClient, readClients, removeClient } from '#shared/data/clients/clients.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { type Client, newClient } from '#shared/domain/clients/client.ts';
import type { CursorPage, Direction, Window } from '#shared/domain/page.ts';
import { baseLetters, foldText } from '#shared/domain/text.ts';
import { draws } from '#test/support/draws.ts';
import { given } from '#test/support/given.ts';

/** Pages by cursor, compared with what the order and the definition of a Relay connection say. */

const ORDERS = ['createdAt', 'name'] as const;
const DIRECTIONS: readonly Direction[] = ['asc', 'desc'];

type Order = (typeof ORDERS)[number];

/** Names that are equal, that differ in case only, that begin alike, and that UTF-16 and UTF-8 order differently. */
const NAMES = [
  'Ann',
  'ann',
  'Ann B',
  'Ann-Marie',
  'ANNA',
  'Zoë',
  'Ärzte',
  'Arzte',
  'ärzte',
  '\uffee',
  '😀 Smiles',
  ' Blank',
  'Ann\t',
  '0',
];

/** @param createdAt milliseconds since the epoch */
async function insert(organization: string, name: string, createdAt: number): Promise<Client> {
  const client = newClient({ name }, organization, uuidV7({ msecs: createdAt }), new Date(createdAt));
  await insertClient(client, []);
  return client;
}

/** The clients in the order that a list promises, worked out without the table. */
function inOrder(clients: readonly Client[], order: Order, direction: Direction): Client[] {
  const named = (name: string) => [baseLetters(name), baseLetters(name) === name ? '' : name].join('\u0001');
  const key = ({ name, id }: Client) => Buffer.from(order === 'name' ? `${named(foldText(name))}\u0001${id}` : id);
  const ascending = clients.toSorted((one, other) => Buffer.compare(key(one), key(other)));
  return direction === 'asc' ? ascending : ascending.toReversed();
}

async function read(
  organization: string,
  orderBy: Order,
  orderDirection: Direction,
  window: Window & { readonly q?: string },
): Promise<CursorPage<Client>> {
  const page = await readClients({
    organizationId: organization,
    pagination: 'cursor',
    limit: 50,
    offset: 0,
    orderBy,
    orderDirection,
    ...window,
  });
  if (!('edges' in page)) throw new Error('This is a page by offset.');
  return page;
}

const idsOf = ({ edges }: CursorPage<Client>) => edges.map(({ node }) => node.id);

const order = fc.constantFrom(...ORDERS);
const direction = fc.constantFrom(...DIRECTIONS);

describe('a page by cursor', () => {
  const clients: Client[] = [];
  let organization: string;
  /** By how they were asked for: nobody writes meanwhile. */
  const wholes = new Map<string, CursorPage<Client>>();

  beforeAll(async () => {
    organization = (await given.organization()).id;
    for (let i = 0; i < 40; i++)
      clients.push(await insert(organization, NAMES[(i * 7) % NAMES.length] ?? '', 1_000 + i));
  });

  async function readWhole(by: Order, way: Direction, text: string | undefined): Promise<CursorPage<Client>> {
    const wish = JSON.stringify([by, way, text]);
    const whole = wholes.get(wish) ?? (await read(organization, by, way, { q: text, first: 100 }));
    wholes.set(wish, whole);
    return whole;
  }

  /** Where the cursors stand, as positions in the list, in any order of the two; often at the ends. */
  const position = fc.oneof(fc.constantFrom(undefined, 0, 1, 38, 39), fc.nat(39));
  const size = fc.option(fc.record({ end: fc.constantFrom('first', 'last'), rows: fc.integer({ min: 1, max: 45 }) }));
  const q = fc.constantFrom(undefined, '', 'ann', 'ANN ', 'ä');

  it('is the part of the list that its window describes, and knows exactly what lies around it', async () => {
    const wanted = fc.record({ order, direction, q, size, after: position, before: position });
    await fc.assert(
      fc.asyncProperty(wanted, async ({ order: by, direction: way, q: text, size: wish, after, before }) => {
        const matches = clients.filter(({ name }) => foldText(name).includes(foldText(text ?? '')));
        const list = inOrder(matches, by, way);
        const whole = await readWhole(by, way, text);
        expect(idsOf(whole)).toEqual(list.map(({ id }) => id));
        const from = after === undefined ? undefined : after % list.length;
        const to = before === undefined ? undefined : before % list.length;
        const page = await read(organization, by, way, {
          q: text,
          ...(wish && { [wish.end]: wish.rows }),
          after: from === undefined ? undefined : whole.edges[from]?.cursor,
          before: to === undefined ? undefined : whole.edges[to]?.cursor,
        });
        const { start, end } = expectedRange(list.length, wish, from, to);
        const edges = whole.edges.slice(start, end);
        expect(page).toEqual({
          edges,
          pageInfo: {
            hasPreviousPage: start > 0,
            hasNextPage: end < list.length,
            startCursor: edges[0]?.cursor ?? null,
            endCursor: edges.at(-1)?.cursor ?? null,
          },
          totalCount: list.length,
        });
      }),
      { numRuns: draws(40) },
    );
  });
});

/**
 * Start and end of a page as positions in the list; where nothing lies between the cursors, both are at the one that is
 * read from.
 */
function expectedRange(
  length: number,
  size: { readonly end: string; readonly rows: number } | null,
  after: number | undefined,
  before: number | undefined,
): { readonly start: number; readonly end: number } {
  const low = after === undefined ? 0 : after + 1;
  const high = before ?? length;
  const rows = Math.min(size?.rows ?? 50, Math.max(0, high - low));
  return size?.end === 'last' ? { start: high - rows, end: high } : { start: low, end: low + rows };
}

describe('a walk from page to page while others write', () => {
  /** Where all walks go, one after the other: what one has left is passing for the next. */
  let place: Place;

  beforeAll(async () => {
    const { id: organization } = await given.organization();
    let inserted = 0;
    const insertAnywhere = () => {
      inserted += 1;
      return insert(organization, NAMES[inserted % NAMES.length] ?? '', 1_000 + ((inserted * 7_919) % 1_000_000));
    };
    const clients = await mapInParallel(Array.from({ length: 56 }), insertAnywhere, 10);
    place = { organization, staying: clients.slice(0, 40), passing: clients.slice(40) };
  });

  const walks = ORDERS.flatMap((by) =>
    DIRECTIONS.flatMap((way) => (['forwards', 'backwards'] as const).map((heading) => [by, way, heading] as const)),
  );

  it.each(walks)(
    'by %s %s %s meets each client once that is there throughout, in order',
    async (by, way, heading) => {
      const numbers = fc.infiniteStream(fc.nat(1_000_000));
      await fc.assert(
        fc.asyncProperty(numbers, async (random) => {
          const { staying } = place;
          const met = await walk(place, by, way, heading, (limit) => Number(random.next().value) % limit);
          const ids = new Set(staying.map(({ id }) => id));
          const expected = inOrder(staying, by, way).map(({ id }) => id);
          expect(met.filter((id) => ids.has(id))).toEqual(heading === 'forwards' ? expected : expected.toReversed());
          expect(new Set(met).size).toBe(met.length);
        }),
        { numRuns: draws(1), endOnFailure: true },
      );
    },
    draws(60_000),
  );
});

interface Place {
  readonly organization: string;
  readonly staying: readonly Client[];
  readonly passing: Client[];
}

/**
 * Walks from one end of a list to the other in pages of 1 to 7. Between two pages somebody inserts a client and deletes one of those that are
 * not to stay: the very one that the cursor stands on, if it is one of them.
 *
 * @param below draws a number that is smaller than its limit
 */
async function walk(
  { organization, passing }: Place,
  by: Order,
  way: Direction,
  heading: 'forwards' | 'backwards',
  below: (limit: number) => number,
): Promise<string[]> {
  const met: string[] = [];
  let cursor: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const size = 1 + below(7);
    const window = heading === 'forwards' ? { first: size, after: cursor } : { last: size, before: cursor };
    const page = await read(organization, by, way, window);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
    met.push(...(heading === 'forwards' ? idsOf(page) : idsOf(page).toReversed()));
    hasMore = heading === 'forwards' ? hasNextPage : hasPreviousPage;
    cursor = (heading === 'forwards' ? endCursor : startCursor) ?? cursor;
    const ofCursor = passing.findIndex(({ id }) => id === met.at(-1));
    const [gone] = passing.splice(Math.max(0, ofCursor), 1);
    if (gone) await removeClient(await readClient(organization, gone.id), []);
    passing.push(await insert(organization, NAMES[below(NAMES.length)] ?? '', 1_000 + below(1_000_000)));
  }
  return met;
}
