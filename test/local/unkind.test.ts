import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidV7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readInstanceFile } from '#scripts/local/instance-file.ts';
import { AWS_LIMITS } from '#scripts/local/throughput.ts';
import { endsInstance, indexDelayMilliseconds, UNKIND } from '#scripts/local/unkind.ts';
import { insertClient } from '#shared/data/clients/clients.ts';
import { clientPartition } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { conflictsOfTen } from '#test/support/conflicts.ts';
import { operatorClients } from '#test/support/fixture-app/cloud.ts';
import { expectGatewayOfAws } from '#test/support/gateway.ts';
import { given } from '#test/support/given.ts';

const CLIENTS = 20;

describe('every cloud of the service that tests boot', () => {
  let operator: ReturnType<typeof operatorClients> & { readonly tableName: string };

  beforeAll(() => {
    const instance = readInstanceFile(inject('dataDir'));
    if (!instance) throw new Error('The cloud has written no instance file.');
    operator = { ...operatorClients(instance), tableName: instance.tableName };
  });

  afterAll(() => {
    operator.database.destroy();
    operator.queues.destroy();
  });

  it('lets transactions conflict', async () => {
    expect(await conflictsOfTen(operator)).toBeGreaterThan(0);
  });

  it('shows writes late in its indexes', async () => {
    const { id } = await given.organization();
    for (let i = 0; i < CLIENTS; i++) {
      await insertClient(newClient({ name: `Client ${i}` }, id, uuidV7(), new Date()));
    }
    const partition = clientPartition(id);
    const [byName, byCreation] = [
      await readCollection({ partition, index: 'order1' }),
      await readCollection({ partition }),
    ];
    expect(byCreation).toHaveLength(CLIENTS);
    expect(byName.length).toBeLessThan(CLIENTS);
  });

  it('ends a function between two events now and then', () => {
    const ended = Array.from({ length: 10_000 }, endsInstance).filter(Boolean).length;
    expect(ended).toBeGreaterThan(10);
    expect(ended).toBeLessThan(200);
  });

  it('has its gateway answer as that of AWS', async () => {
    await expectGatewayOfAws(inject('baseUrl'));
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

  it('has the limits of AWS besides, where faults are searched for', () => {
    expect(UNKIND).toEqual({
      indexDelayMilliseconds,
      endsInstance,
      throughputLimits: AWS_LIMITS,
    });
  });
});
