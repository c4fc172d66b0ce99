import { afterAll, describe, expect, it } from 'vitest';
import { DEMO_CREDENTIAL, startDemoProvider } from '#scripts/demo/demo-provider.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { HarvestProvider } from '#shared/remote/harvest.ts';
import { deadlineAfter } from '#shared/remote/provider.ts';
import { expectOnlyOnLoopback } from '#test/support/loopback.ts';

const demo = await startDemoProvider();
afterAll(() => demo.stop());

describe('the demo provider', () => {
  it('listens on the loopback interface only', () => expectOnlyOnLoopback(demo.url));

  it('accepts its own credential and no other', async () => {
    const provider = new HarvestProvider(demo.url);
    const identify = (changes: object) => provider.identify({ ...DEMO_CREDENTIAL, ...changes }, deadlineAfter(10_000));
    expect(await identify({})).toEqual({ name: 'Demo Studio', visibility: 'all' });
    await expect(identify({ accessToken: 'another' })).rejects.toMatchObject({ kind: 'credential_rejected' });
    await expect(identify({ accountId: '1' })).rejects.toMatchObject({ kind: 'credential_rejected' });
  });

  it('has some hundred entries of the last three months, in several currencies, and a running timer', async () => {
    const today = new Date();
    const window = { from: dateOf(new Date(today.getTime() - 90 * 86_400_000)), to: dateOf(today) };
    const provider = new HarvestProvider(demo.url);
    const fetched = await provider.fetchRows(DEMO_CREDENTIAL, window, deadlineAfter(10_000));
    expect(fetched.rows.length).toBeGreaterThan(200);
    expect(fetched.skippedEntries).toBe(1);
    expect(new Set(fetched.rows.map(({ currency }) => currency))).toEqual(new Set(['USD', 'EUR', 'SEK', 'JPY']));
    expect(new Set(fetched.rows.map(({ externalId }) => externalId)).size).toBe(fetched.rows.length);
    expect(new Set(fetched.rows.map(({ user }) => user)).size).toBe(4);
  });
});
