import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { median } from '#scripts/bench/statistics.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { createApiKey } from '#shared/contract/keys/create-api-key.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { COSTLY_BODIES, outcomeOf } from '#test/support/costly-bodies.ts';

const MEBIBYTE = 1_048_576;

const MILLISECONDS = 1_000;

const packed = (text: string) => gzipSync(text, { level: 1 });

/** Time of the processor in milliseconds: that of the wall says little where other tests run. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MILLISECONDS;
}

/** The processor's time to refuse a body of the largest size that the endpoint takes, in milliseconds. */
async function costOfRefusing(endpoint: Endpoint, make: (bytes: number) => string): Promise<number> {
  const body = packed(make((endpoint.bodyMebibytes ?? 1) * MEBIBYTE));
  const before = processorTime();
  expect([400, 413, 422]).toContain(await outcomeOf(endpoint, body, true));
  return processorTime() - before;
}

/** Without limits, the worst bodies took forty times as much, and more memory than a function has. */
const MOST_TIMES = 6;

describe('a body that is made to be costly', () => {
  const endpoints: readonly Endpoint[] = [createProject, createInvoice, createApiKey, confirmRemoteSync, importRows];
  const cases = Object.entries(COSTLY_BODIES).flatMap(([name, make]) =>
    endpoints.map((endpoint) => [endpoint.operationId, name, endpoint, make] as const),
  );
  let plain = 0;

  beforeAll(async () => {
    const oneText = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    const readings: number[] = [];
    for (let i = 0; i < 3; i++) readings.push(await costOfRefusing(confirmRemoteSync, oneText));
    plain = median(readings);
  });

  it.each(cases)(
    'costs %s little more than one plain text of 32 MiB: %s',
    async (_operation, _name, endpoint, make) => {
      expect(await costOfRefusing(endpoint, make)).toBeLessThan(MOST_TIMES * plain);
    },
  );
});

describe('the largest import', () => {
  it('has fewer values than a body may have', async () => {
    const tags = Array.from({ length: 10 }, (_, i) => `Tag ${i}`);
    const row = {
      ...confirmRemoteSync.example.body.rows[0],
      rate: 80,
      currency: 'USD',
      tags,
      status: 'new',
      heldBack: false,
    };
    const id = '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b';
    const mapping = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`Name ${i}`, id]));
    const body = {
      rows: Array(10_000).fill(row),
      clientMapping: mapping,
      projectMapping: mapping,
      userMapping: mapping,
      updateChanged: true,
    };
    const text = JSON.stringify(body);
    expect(await outcomeOf(confirmRemoteSync, packed(text), true)).toBe('taken');
    expect(text.match(/[[{,]/g)?.length).toBeLessThan(280_000);
  });
});
