import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Behind } from '#shared/data/events/feed.ts';
import { newWebhook } from '#shared/domain/events/webhook.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { showWebhooks } from '#shared/work/events/show-webhook.ts';

const { countBehind } = vi.hoisted(() => ({ countBehind: vi.fn<() => Promise<Behind>>() }));

vi.mock('#shared/data/events/feed.ts', () => ({ countBehind }));

const NOW = new Date();

const made = {
  id: 'w',
  organizationId: 'acme',
  maker: { userId: 'ana', keyId: null, scopes: SCOPES },
  secrets: [],
  after: 7,
};

const webhook = (types: string[]) => newWebhook({ url: 'https://hooks.example.com', types }, made, NOW);

/** @param invoices how many each reading has found by then */
const finding = (...invoices: readonly number[]) => {
  for (const [at, count] of invoices.entries()) {
    const counts = new Map([[7, { 'invoice.sent': count, 'client.created': 1 }]]);
    countBehind.mockResolvedValueOnce({ counts, hasMore: at < invoices.length - 1 });
  }
};

const behindOf = async (...types: readonly string[]) =>
  (
    await showWebhooks(
      types.map((type) => webhook([type])),
      NOW,
    )
  ).map(({ behind }) => behind);

afterEach(() => {
  vi.resetAllMocks();
});

describe('what a webhook lacks', () => {
  it('is counted once all has a number', async () => {
    finding(400, 800, 900);
    expect(await behindOf('invoice.*', 'client.*')).toEqual([900, 1]);
  });

  it('is not counted further where each lacks 1,000', async () => {
    finding(600, 1_100, 1_600);
    expect(await behindOf('invoice.*', 'invoice.sent')).toEqual([1_000, 1_000]);
    expect(countBehind).toHaveBeenCalledTimes(2);
  });

  it('is asked for again where too much has no number yet', async () => {
    finding(...Array<number>(11).fill(5));
    await expect(behindOf('invoice.*')).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(await behindOf('invoice.*')).toEqual([5]);
    finding(...Array<number>(10).fill(6));
    expect(await behindOf('invoice.*')).toEqual([6]);
  });
});
