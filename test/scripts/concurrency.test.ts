import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '#infra/config.ts';
import { concurrencyOf } from '#scripts/concurrency.ts';
import { loadAssembly } from '#scripts/local/template.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

const lambda = mockClient(LambdaClient);

afterEach(() => lambda.reset());
afterAll(() => lambda.restore());

const assembly = loadAssembly(await ensureSynthesized());

const settingsWith = (accountConcurrency: number) => readConfig((name) => ({ accountConcurrency })[name]);

function concurrencyIn(account: { quota: number; unreserved: number }, setting = account.quota): Promise<string[]> {
  const AccountLimit = { ConcurrentExecutions: account.quota, UnreservedConcurrentExecutions: account.unreserved };
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
  return concurrencyOf(assembly, settingsWith(setting));
}

describe('what npm run deploy says of the account', () => {
  it('is that a new one is too small, and how to ask for more', async () => {
    const [quota, share, advice] = await concurrencyIn({ quota: 10, unreserved: 10 });
    expect(quota).toBe('The account runs 10 functions at once in this region, 10 of them unreserved.');
    expect(share).toContain('Workers take up to 29, which leaves 0 to requests');
    expect(advice).toContain('--service-code lambda --quota-code L-B99A9384 --desired-value 1000');
  });

  it('is what is left to requests where there is enough, without advice', async () => {
    const [, share, ...more] = await concurrencyIn({ quota: 1_000, unreserved: 900 });
    expect(share).toContain('leaves 871 to requests: some 8,710 a second, of 500 that the API lets through');
    expect(more).toEqual([]);
  });

  it('is also that the setting says another number, with which the alarm would not fit', async () => {
    const lines = await concurrencyIn({ quota: 1_000, unreserved: 900 }, 2_000);
    expect(lines.slice(2)).toEqual([
      'accountConcurrency of the stage is 2000: set it to 1000 in infra/config.ts, or the alarm "concurrency" rings too early or never.',
    ]);
  });

  it('is that nobody knows, where the account does not tell, and no reason to stop', async () => {
    lambda.on(GetAccountSettingsCommand).rejects(new Error('User is not authorized'));
    expect(await concurrencyOf(assembly, settingsWith(10))).toEqual([
      'How many functions the account may run at once is not known: User is not authorized',
    ]);
  });
});
