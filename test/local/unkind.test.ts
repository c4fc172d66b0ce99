import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readInstanceFile } from '#scripts/local/instance-file.ts';
import { endsInstance } from '#scripts/local/unkind.ts';
import { conflictsOfTen } from '#test/support/conflicts.ts';
import { operatorClients } from '#test/support/fixture-app/cloud.ts';

describe('every cloud of the service that tests boot', () => {
  const instance = readInstanceFile(inject('dataDir'));
  if (!instance) throw new Error('The cloud has written no instance file.');
  const operator = { ...operatorClients(instance), tableName: instance.tableName };

  it('lets transactions conflict', async () => {
    expect(await conflictsOfTen(operator)).toBeGreaterThan(0);
  });

  it('refuses reads of the table that may be answered with what was there before', async () => {
    const { database, tableName: TableName } = operator;
    const key = { pk: { S: 'NOBODY' }, sk: { S: '1' } };
    const partition = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': key.pk } };
    const reads = (ConsistentRead?: boolean) => [
      database.getItem({ TableName, Key: key, ConsistentRead }),
      database.batchGetItem({ RequestItems: { [TableName]: { Keys: [key], ConsistentRead } } }),
      database.query({ TableName, ...partition, ConsistentRead }),
      database.scan({ TableName, Limit: 1, ConsistentRead }),
    ];
    const refused = async (made: Promise<unknown>[]) =>
      (await Promise.allSettled(made)).map(({ status }) => status === 'rejected');
    expect(await refused([...reads(), ...reads(false)])).toEqual(Array(8).fill(true));
    expect(await refused(reads(true))).toEqual(Array(4).fill(false));
  });

  it('ends a function between two events now and then', () => {
    const ended = Array.from({ length: 10_000 }, endsInstance).filter(Boolean).length;
    expect(ended).toBeGreaterThan(10);
    expect(ended).toBeLessThan(200);
  });

  it('is booted in one place, which lays down how unkind it is', async () => {
    const root = join(import.meta.dirname, '../..');
    const booting: string[] = [];
    for await (const file of glob('test/**/*.ts', { cwd: root })) {
      const text = await readFile(join(root, file), 'utf8');
      if (/bootCloud\(/.test(text) && /ensureSynthesized\(/.test(text)) booting.push(file);
    }
    expect(booting).toEqual(['test/support/test-cloud.ts']);
  });
});
