import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionsOf, type Calls } from '#infra/calls.ts';
import { bundleOptions } from '#scripts/build/build.ts';
import { callsOf } from '#scripts/build/calls.ts';
import { defineSample, inTemporaryFolder, sampleCalls } from './sample.ts';

const root = join(import.meta.dirname, '../..');

/** The calls in a function of this code. */
async function callsIn(contents: string): Promise<readonly string[] | undefined> {
  const stdin = { contents, resolveDir: root, loader: 'ts' } as const;
  const calls = await callsOf({ ...bundleOptions, absWorkingDir: root, stdin, outfile: 'area/sample/index.js' });
  return calls.sample;
}

describe('the calls of a function', () => {
  it('are those that its code reaches, and no others of the modules that it imports', async () => {
    expect(
      await callsIn(`
        import { readItem } from '#shared/data/table/item.ts';
        import { ConditionFailed } from '#shared/data/table/transaction.ts';
        import { listUsers } from '#shared/data/organization/users.ts';
        export const handler = (key) => readItem(key).catch((error) => error instanceof ConditionFailed);
      `),
    ).toEqual(['Get']);
  });

  it('are those of the items in its transactions too', async () => {
    expect(
      await callsIn(`
        import { transact } from '#shared/data/table/transaction.ts';
        const check = (Key) => ({ ConditionCheck: { TableName: 'table', Key } });
        export const handler = (keys) => transact(keys.map(check));
      `),
    ).toEqual(['ConditionCheck', 'TransactWrite']);
  });

  it('are not those of the steps around each handler, for which a role has statements of their own', async () => {
    expect(
      await callsIn(`
        import { createProduct } from '#shared/contract/products/create-product.ts';
        import { database } from '#shared/data/table/database.ts';
        import { implement } from '#shared/http/implement.ts';
        export const handler = implement(createProduct, async () => database);
      `),
    ).toEqual([]);
  });
});

describe('the role of a function', () => {
  const synthesized = (calls: Calls) =>
    inTemporaryFolder(async (folder) => (await defineSample(folder, {}, { ...sampleCalls, ...calls })).synth());

  it.each([
    ['writes', { 'get-thing': ['Get', 'Put'] }, /get-thing calls dynamodb:PutItem.* no "writes"/],
    ['writes nothing', { 'create-thing': ['Get', 'SendMessage', 'TransactWrite'] }, /create-thing has "writes"/],
    ['sends', { 'get-thing': ['SendMessage'] }, /get-thing calls sqs:SendMessage.* no "sends"/],
    ['sends nothing', { tick: ['Query'] }, /tick has "sends"/],
  ] satisfies [string, Calls, RegExp][])(
    'is refused if its code %s against its contract',
    async (_, calls, message) => {
      await expect(synthesized(calls)).rejects.toThrow(message);
    },
  );

  it('is refused for a call that nobody has looked at, and for code that was not built', () => {
    expect(() => actionsOf('a', { a: ['Scan'] })).toThrow('Scan');
    expect(() => actionsOf('b', { a: [] })).toThrow('no function b');
  });
});
