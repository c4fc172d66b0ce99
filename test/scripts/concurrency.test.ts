import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#infra/config.ts';
import { tables } from '#infra/functions.ts';
import { concurrencyLines, readQuota } from '#scripts/concurrency.ts';

const linesFor = (functions: number, accountConcurrency = functions, stage = 'production') =>
  concurrencyLines(
    readConfig((name) => ({ accountConcurrency, stage })[name]),
    tables,
    { functions },
  );

describe('a deployment', () => {
  it('ends where the account runs too few functions, with what the stage needs and how to ask for more', () => {
    expect(() => linesFor(10)).toThrow(
      'The account runs 10 functions at once in this region. The stage needs 169: 40 are reserved, workers take up to 79, and 500 requests a second take 50. ' +
        'Ask AWS for more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
    );
    expect(() => linesFor(168)).toThrow('The stage needs 169');
  });

  it('says what there is where that is enough, and dev needs no more than a new account has', () => {
    expect(linesFor(169)).toEqual([expect.stringContaining('The account runs 169 functions at once')]);
    expect(linesFor(10, 10, 'dev')).toEqual([expect.stringContaining('The stage needs 10: 0 are reserved')]);
  });

  it('says that the setting is another number, with which the alarm would not fit', () => {
    expect(linesFor(1_000, 2_000).slice(1)).toEqual([
      'accountConcurrency of the stage is 2000: set it to 1000 in infra/config.ts, or the alarm "concurrency" rings too early or never.',
    ]);
  });

  it('goes on where the account does not tell', async () => {
    const lambda = mockClient(LambdaClient);
    lambda.on(GetAccountSettingsCommand).rejects(new Error('User is not authorized'));
    const quota = await readQuota();
    lambda.restore();
    expect(
      concurrencyLines(
        readConfig(() => undefined),
        tables,
        quota,
      ),
    ).toEqual(['How many functions the account may run at once is not known: User is not authorized']);
  });
});
