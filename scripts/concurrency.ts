import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import type { Config } from '#infra/config.ts';
import { asError } from '#shared/runtime/error.ts';
import type { Assembly } from './local/template.ts';

/** A new account may have a quota of only ten concurrent functions. */

const mapping = v.object({ ScalingConfig: v.object({ MaximumConcurrency: v.number() }) });

const gatewayStage = v.object({ DefaultRouteSettings: v.object({ ThrottlingRateLimit: v.number() }) });

/** Each request takes a tenth of a second, including the wait for the table. */
const REQUESTS_PER_SECOND_OF_A_FUNCTION = 10;

/** The quota of an account that has been used for a while. */
const USUAL_QUOTA = 1_000;

const ASKING_FOR_MORE = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${USUAL_QUOTA}`;

export async function concurrencyOf(assembly: Assembly, { accountConcurrency }: Config): Promise<string[]> {
  const client = new LambdaClient({});
  try {
    const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit;
    return [...explain(assembly, quota, unreserved), ...compare(accountConcurrency, quota)];
  } catch (error) {
    return [`How many functions the account may run at once is not known: ${asError(error).message}`];
  } finally {
    client.destroy();
  }
}

/** Functions of other services in the account take from the same quota. */
function explain(assembly: Assembly, quota: number, unreserved: number): string[] {
  const workers = propertiesOf(assembly, 'AWS::Lambda::EventSourceMapping', mapping)
    .map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency)
    .reduce((sum, each) => sum + each, 0);
  const allowed = propertiesOf(assembly, 'AWS::ApiGatewayV2::Stage', gatewayStage)
    .map(({ DefaultRouteSettings }) => DefaultRouteSettings.ThrottlingRateLimit)
    .reduce((sum, each) => sum + each, 0);
  const left = Math.max(0, unreserved - workers);
  const requests = left * REQUESTS_PER_SECOND_OF_A_FUNCTION;
  return [
    `The account runs ${quota} functions at once in this region, ${unreserved} of them unreserved.`,
    `Workers take up to ${workers}, which leaves ${left} to requests: some ${requests.toLocaleString('en')} a second, of ${allowed} that the API lets through. A confirm that waits for its import takes one.`,
    ...(requests < allowed ? [`THAT IS TOO FEW. To ask for more: ${ASKING_FOR_MORE}`] : []),
  ];
}

function compare(accountConcurrency: number, quota: number): string[] {
  if (accountConcurrency === quota) return [];
  return [
    `accountConcurrency of the stage is ${accountConcurrency}: set it to ${quota} in infra/config.ts, or the alarm "concurrency" rings too early or never.`,
  ];
}

function propertiesOf<const Schema extends v.GenericSchema>(
  { resources }: Assembly,
  type: string,
  schema: Schema,
): v.InferOutput<Schema>[] {
  return resources.filter((resource) => resource.type === type).map(({ properties }) => v.parse(schema, properties));
}
