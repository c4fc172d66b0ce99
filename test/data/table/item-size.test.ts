import { randomUUID } from 'node:crypto';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from '#shared/data/table/item-size.ts';
import type { Json } from '#test/support/client.ts';
import { draws } from '#test/support/draws.ts';

const length = fc.nat(2_100);

const name = fc.constantFrom('a', 'version', 'Größe');

/** Lists and maps have many parts, each of which takes a byte more. */
const part = fc.constantFrom<Json>(
  'x',
  '€',
  '',
  true,
  null,
  7,
  123_456,
  10n ** 20n + 1n,
  ['x'],
  { a: 'x' },
  { Größe: {} },
);

const value = fc.oneof(
  length.map((characters) => 'x'.repeat(characters)),
  length.map((characters) => '€'.repeat(characters)),
  length.map((bytes) => new Uint8Array(bytes)),
  part,
  fc.tuple(part, length).map(([each, count]) => Array.from({ length: count }, () => each)),
  fc.tuple(part, length).map(([each, count]) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i, each]))),
);

const attributes = fc.dictionary(name, value);

/** With the keys of 49 bytes and its name. */
const TWO_UNITS = 2 * 1_024 - 49 - 1;

it('an item takes the write units that are reckoned before it is written', async () => {
  const law = fc.asyncProperty(attributes, async (drawn) => {
    const Item = { pk: `SIZE#${randomUUID()}`, sk: 'SIZE', ...drawn };
    const put = new PutCommand({ TableName: TABLE_NAME, Item, ReturnConsumedCapacity: 'TOTAL' });
    const { ConsumedCapacity } = await database.send(put);
    expect(writeUnitsOf(Item)).toBe(ConsumedCapacity?.CapacityUnits);
  });
  const examples = [TWO_UNITS, TWO_UNITS + 1].map((characters): [Json] => [{ a: 'x'.repeat(characters) }]);
  await fc.assert(law, { numRuns: draws(50), examples });
});

it('a transaction takes so many times the units', async () => {
  const Item = { pk: `SIZE#${randomUUID()}`, sk: 'SIZE' };
  const TransactItems = [{ Put: { TableName: TABLE_NAME, Item } }];
  const write = new TransactWriteCommand({ TransactItems, ReturnConsumedCapacity: 'TOTAL' });
  const { ConsumedCapacity } = await database.send(write);
  expect(writeUnitsOf(Item) * UNITS_IN_TRANSACTION).toBe(ConsumedCapacity?.[0]?.CapacityUnits);
});
