import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type Config, neededConcurrency } from '#infra/config.ts';
import type { Tables } from '#infra/functions.ts';
import { asError } from '#shared/runtime/error.ts';

/** A new account may have a quota of only ten concurrent functions. */

/** The quota of an account that has been used for a while. */
const USUAL_QUOTA = 1_000;

/** How many functions the account runs at once in this region, or why nobody knows. */
export type Quota = { readonly functions: number } | { readonly unknown: string };

export async function readQuota(): Promise<Quota> {
  const client = new LambdaClient({});
  try {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    return { functions: AccountLimit?.ConcurrentExecutions ?? 0 };
  } catch (error) {
    return { unknown: asError(error).message };
  } finally {
    client.destroy();
  }
}

/**
 * @returns what there is to say of the account before a deployment
 * @throws Error of one line, where the account runs fewer functions than the stage needs
 */
export function concurrencyLines(config: Config, tables: Tables, quota: Quota): string[] {
  if ('unknown' in quota) return [`How many functions the account may run at once is not known: ${quota.unknown}`];
  const { reserved, workers, requests, all } = neededConcurrency(config, tables);
  const line =
    `The account runs ${quota.functions} functions at once in this region. The stage needs ${all}: ${reserved} are reserved, ` +
    `workers take up to ${workers}, and ${config.requestsPerSecond} requests a second take ${requests}.`;
  if (quota.functions < all) throw new Error(`${line} Ask AWS for more: ${askingFor(Math.max(all, USUAL_QUOTA))}`);
  const { accountConcurrency } = config;
  if (accountConcurrency === quota.functions) return [line];
  return [
    line,
    `accountConcurrency of the stage is ${accountConcurrency}: set it to ${quota.functions} in infra/config.ts, or the alarm "concurrency" rings too early or never.`,
  ];
}

const askingFor = (functions: number) =>
  `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${functions}`;
