import { randomBytes, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './aws-answer.ts';
import { AwsEndpoint, type Interceptor, type ObservedCall } from './aws-endpoint.ts';
import { type Blueprint, blueprintOf } from './blueprint.ts';
import { codeInstaller, removeOtherCode } from './code.ts';
import { Conflicts } from './conflicts.ts';
import { assertDataFiles, fullDiskOf } from './data-files.ts';
import { ensureTables, startDynamoDb } from './dynamodb.ts';
import { EventSource } from './event-source.ts';
import {
  EventTooLargeError,
  type FunctionIdentity,
  Functions,
  ThrottledError,
  UnknownFunctionError,
} from './functions.ts';
import { type AccessLogLine, Gateway } from './gateway.ts';
import type { InvocationResult } from './instance.ts';
import { lockDataDir, removeInstanceFile, writeInstanceFile } from './instance-file.ts';
import { Kms } from './kms.ts';
import { refuseOtherLayout, sayLayout } from './layout.ts';
import { type LogLine, Logs } from './logs.ts';
import { ACCOUNT, REGION } from './names.ts';
import type { ApiPlan } from './plans/apis.ts';
import type { FunctionPlan } from './plans/functions.ts';
import { type Parameters, Resolver } from './resolve.ts';
import { Schedule } from './schedule.ts';
import { dynamoEndpointSetting } from './settings.ts';
import { Sqs } from './sqs.ts';
import { loadAssembly } from './template.ts';

/**
 * The whole cloud on one machine, booted from the synthesized stacks. Whatever the stacks lack is missing here too: a
 * route, a permission, a variable of the environment, an index.
 */

export interface BootOptions {
  readonly assembly: string;
  /** Until the code of a function is built. By default, all of it is there. */
  readonly bundled?: (functionName: string) => Promise<void>;
  /** Holds everything that outlives the process. */
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly parameters?: Parameters;
  /** People sign in at an issuer that starts and stops with the cloud, in place of one that the parameters name. */
  readonly startIssuer?: (dataDir: string) => Promise<{ readonly parameters: Parameters; stop(): Promise<void> }>;
  /** False keeps EventBridge rules from firing by themselves. */
  readonly schedules?: boolean;
  readonly maximumRedeliverySeconds?: number;
  /** True holds nothing up, and refuses nothing that AWS takes at a quieter moment. */
  readonly isKind?: boolean;
  /** The default is about as long as on AWS. */
  readonly transactionMilliseconds?: () => number;
  /** Asked after each answer of a function: whether the instance ends. */
  readonly endsInstance?: () => boolean;
  /** The limit of all instances together. */
  readonly maximumMegabytes?: number;
}

export interface Cloud {
  readonly url: string;
  readonly awsEndpoint: string;
  /** The DynamoDB emulator itself, which checks no roles. */
  readonly dynamoEndpoint: string;
  readonly tableName: string;
  readonly queueUrls: Readonly<Record<string, string>>;
  /** The operator may do anything at the AWS endpoint. */
  readonly adminCredentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** For the service's own modules, and any AWS SDK. */
  readonly operatorEnvironment: Record<string, string>;
  /** With these, another process can serve the API with functions of its own, whose calls have the same roles. */
  readonly api: ApiPlan | undefined;
  readonly identities: readonly FunctionIdentity[];
  readonly logs: { subscribe(listener: (line: LogLine) => void): () => void };
  /** Takes the full or the short name of a function. */
  invoke(functionName: string, event: unknown): Promise<InvocationResult>;
  /**
   * Goes on with what has been built again: the code, the roles and the routes change at the same moment.
   *
   * @returns the names of functions that are others now; undefined if more than functions and routes has changed, which
   * takes another boot
   */
  renew(): readonly string[] | undefined;
  /** The next event of the function starts another instance. */
  endInstances(functionName: string): Promise<void>;
  /** Instances at work end as well, wherever they are in their event. */
  killInstances(functionName: string): Promise<void>;
  /** Fires the rules that target this function. */
  fireSchedule(functionName: string, time?: Date): Promise<void>;
  /** Reports every call at the AWS endpoint, until the returned function is called. */
  observe(observer: (call: ObservedCall) => void): () => void;
  intercept(interceptor: Interceptor): () => void;
  onRequest(listener: (line: AccessLogLine) => void): () => void;
  /** How long the processor has worked on the events of all functions since the start. */
  functionMilliseconds(): number;
  stop(): Promise<void>;
}

const DEFAULT_REDELIVERY_SECONDS = 2;

export async function bootCloud(options: BootOptions): Promise<Cloud> {
  const cleanups: (() => unknown)[] = [];
  const cleanUp = async (): Promise<void> => {
    for (const step of cleanups.splice(0).reverse()) await step();
  };
  try {
    return await boot(options, cleanups, cleanUp);
  } catch (error) {
    const reason = fullDiskOf(options.dataDir) ?? error;
    await cleanUp();
    throw reason;
  }
}

/** What the service calls is here as well: a demo provider, an issuer. No stack allows that. */
const onThisMachine = (plan: FunctionPlan): FunctionPlan => ({
  ...plan,
  environment: { ...plan.environment, ALLOWS_LOOPBACK: 'true' },
});

async function boot(options: BootOptions, cleanups: (() => unknown)[], stop: () => Promise<void>): Promise<Cloud> {
  const { dataDir } = options;
  const lock = lockDataDir(dataDir);
  cleanups.push(() => lock.release());

  const gateway = new Gateway();
  const port = await gateway.listen(options.port);
  cleanups.push(() => gateway.stop());
  const url = `http://localhost:${port}`;
  const endpoint = new AwsEndpoint();
  await endpoint.start();
  cleanups.push(() => endpoint.stop());

  const issuer = await options.startIssuer?.(dataDir);
  cleanups.push(() => issuer?.stop());
  const parameters = { ...options.parameters, ...issuer?.parameters };

  const readBlueprint = (): Blueprint => {
    const addresses = { aws: endpoint.url, api: url };
    const { functions, ...rest } = blueprintOf(new Resolver(loadAssembly(options.assembly), parameters, addresses));
    return { ...rest, functions: functions.map(onThisMachine) };
  };
  const blueprint = readBlueprint();
  const tableName = blueprint.tables[0]?.name ?? '';
  const api = blueprint.apis[0];
  const dynamoEndpoint = dynamoEndpointSetting();
  assertDataFiles(dataDir, dynamoEndpoint === undefined);
  const dynamo = await startDynamoDb(dataDir, dynamoEndpoint);
  cleanups.push(() => dynamo.stop());
  await refuseOtherLayout(dynamo.endpoint, tableName);
  await ensureTables(dynamo.endpoint, blueprint.tables);
  await sayLayout(dynamo.endpoint, tableName);
  const sqs = new Sqs(dataDir, blueprint.queues);
  cleanups.push(() => sqs.stop());

  const logs = new Logs();
  const { endsInstance = () => false, bundled } = options;
  const installed = codeInstaller(dataDir);
  const code = bundled ? blueprint.functions : blueprint.functions.map(installed);
  if (!bundled) removeOtherCode(dataDir, code);
  const codeOf =
    bundled &&
    (async (plan: FunctionPlan) => {
      await bundled(basename(plan.codeFolder));
      return installed(plan);
    });
  let functionMilliseconds = 0;
  const onWorked = (processorMilliseconds: number) => {
    functionMilliseconds += processorMilliseconds;
  };
  const runner = { endpoint, logs, endsInstance, onWorked, codeOf };
  const functions = new Functions(code, runner, options.maximumMegabytes);
  cleanups.push(() => functions.stop());
  endpoint.connect({
    dynamoEndpoint: dynamo.endpoint,
    tables: blueprint.tables,
    conflicts: options.isKind ? undefined : new Conflicts(blueprint.tables, options.transactionMilliseconds),
    sqs,
    kms: new Kms(dataDir, blueprint.keys),
    invoke: (name, payload) => invocationAnswer(functions, name, payload),
  });
  let isComplete = !bundled;
  const open = (plan: ApiPlan | undefined) =>
    gateway.connect(options.isKind && plan ? { ...plan, throttle: undefined } : plan, functions);
  const renew = () => {
    const next = readBlueprint();
    if (!isDeepStrictEqual(lastingPartOf(next), lastingPartOf(blueprint))) return undefined;
    const plans = next.functions.map(installed);
    const changed = functions.renew(plans);
    open(next.apis[0]);
    // Until the first build is complete, no function has run other code.
    if (!isComplete) removeOtherCode(dataDir, plans);
    isComplete = true;
    return changed;
  };
  const redelivery = options.maximumRedeliverySeconds ?? DEFAULT_REDELIVERY_SECONDS;
  const eventSources = blueprint.eventSources.map(
    (plan) => new EventSource(plan, { sqs, functions, logs, maximumRedeliverySeconds: redelivery }),
  );
  const schedules = blueprint.schedules.map((plan) => ({ plan, schedule: new Schedule(plan, functions, redelivery) }));

  const adminCredentials = {
    accessKeyId: `ADMIN${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomUUID(),
  };
  endpoint.addCaller(adminCredentials.accessKeyId, { arn: `arn:aws:iam::${ACCOUNT}:user/operator` });
  const operatorEnvironment = {
    AWS_ACCESS_KEY_ID: adminCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: adminCredentials.secretAccessKey,
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint.url,
    AWS_ENDPOINT_URL_KMS: endpoint.url,
    AWS_ENDPOINT_URL_LAMBDA: endpoint.url,
    AWS_ENDPOINT_URL_SQS: endpoint.url,
    TABLE_NAME: tableName,
    OIDC_ISSUER: parameters.OidcIssuer ?? '',
  };

  for (const source of eventSources) source.start();
  if (options.schedules ?? true) for (const { schedule } of schedules) schedule.start();
  open(api);
  writeInstanceFile(dataDir, {
    pid: process.pid,
    url,
    awsEndpoint: endpoint.url,
    dynamoEndpoint: dynamo.endpoint,
    tableName,
    adminCredentials,
    operatorEnvironment,
  });

  // Cleanups run in the reverse order: first new requests stop, then running work ends, then what that work needed.
  cleanups.push(
    () => eventSources.map((source) => source.stop()),
    () => schedules.map(({ schedule }) => schedule.stop()),
    () => gateway.stop(),
    () => removeInstanceFile(dataDir),
  );

  return {
    url,
    awsEndpoint: endpoint.url,
    dynamoEndpoint: dynamo.endpoint,
    tableName,
    queueUrls: Object.fromEntries(blueprint.queues.map((queue) => [queue.name, queue.url])),
    adminCredentials,
    operatorEnvironment,
    api,
    identities: functions.identities,
    logs,
    invoke: (name, event) => functions.invoke(name, JSON.stringify(event)),
    renew,
    endInstances: (name) => functions.endInstances(name),
    killInstances: (name) => functions.killInstances(name),
    fireSchedule: async (name, time = new Date()) => {
      const target = functions.resolve(name);
      await Promise.all(
        schedules.filter(({ plan }) => plan.functionName === target).map(({ schedule }) => schedule.fire(time)),
      );
    },
    functionMilliseconds: () => functionMilliseconds,
    observe: (observer) => endpoint.observe(observer),
    intercept: (interceptor) => endpoint.intercept(interceptor),
    onRequest: (listener) => gateway.onRequest(listener),
    stop,
  };
}

/** What the running cloud cannot exchange. */
const lastingPartOf = ({ functions: _, apis: __, ...rest }: Blueprint) => rest;

/** Lambda's Invoke API. */
async function invocationAnswer(functions: Functions, name: string, payload: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const failure = (status: number, type: string, error: Error): Answer => ({
    status,
    headers: { ...headers, 'x-amzn-errortype': type },
    body: JSON.stringify({ Type: 'User', message: error.message }),
  });
  try {
    const result = await functions.invoke(name, payload || '{}');
    const errorHeader = result.functionError && { 'x-amz-function-error': result.functionError };
    return { status: 200, headers: { ...headers, ...errorHeader }, body: result.payload };
  } catch (error) {
    if (error instanceof UnknownFunctionError) return failure(404, 'ResourceNotFoundException', error);
    if (error instanceof EventTooLargeError) return failure(413, 'RequestTooLargeException', error);
    if (error instanceof ThrottledError) return failure(429, 'TooManyRequestsException', error);
    throw error;
  }
}
