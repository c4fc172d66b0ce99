import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Answer } from './aws-answer.ts';
import { AwsEndpoint, type Interceptor, type ObservedCall } from './aws-endpoint.ts';
import { type Blueprint, blueprintOf } from './blueprint.ts';
import { installCode } from './code.ts';
import { Conflicts } from './conflicts.ts';
import { ensureTables, startDynamoDb } from './dynamodb.ts';
import { EventSource } from './event-source.ts';
import { EventTooLargeError, Functions, ThrottledError, UnknownFunctionError } from './functions.ts';
import { type AccessLogLine, Gateway } from './gateway.ts';
import type { InvocationResult } from './instance.ts';
import { lockDataDir, removeInstanceFile, writeInstanceFile } from './instance-file.ts';
import { Kms } from './kms.ts';
import { refuseOtherLayout, sayLayout } from './layout.ts';
import { type LogLine, Logs } from './logs.ts';
import { ACCOUNT, REGION } from './names.ts';
import type { Grant } from './policy.ts';
import { makePrivateFolder } from './private-files.ts';
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
  /** The cloud assembly: `cdk.out`. */
  readonly assembly: string;
  /** Holds everything that outlives the process. The folder is made if it is missing. */
  readonly dataDir: string;
  /** The gateway's port; 0 for any free port. */
  readonly port: number;
  /** CloudFormation parameters of the stacks. */
  readonly parameters?: Parameters;
  /** False keeps EventBridge rules from firing by themselves. */
  readonly schedules?: boolean;
  /** See `EventSourceOptions`. */
  readonly maximumRedeliverySeconds?: number;
  /** The least time that a transaction takes. The default is about as long as on AWS. */
  readonly transactionMilliseconds?: () => number;
  /**
   * Asked after each answer of a function: whether the function's instance is ended. Without this option an instance
   * ends after it was idle for long.
   */
  readonly endsInstance?: () => boolean;
  /**
   * The limit of all functions together. If every function is called all the time, raise it: then no instance is
   * ended and started again.
   */
  readonly maximumInstances?: number;
}

export interface Cloud {
  /** The address of the API. */
  readonly url: string;
  /** The AWS endpoint, which enforces the roles. */
  readonly awsEndpoint: string;
  /** The DynamoDB emulator itself, which checks no roles. */
  readonly dynamoEndpoint: string;
  /** The name of the first table of the stacks. */
  readonly tableName: string;
  /** By queue name. */
  readonly queueUrls: Readonly<Record<string, string>>;
  /** The credentials of the operator, who may do anything at the AWS endpoint. */
  readonly adminCredentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** With this environment the service's own modules, and any AWS SDK, work on this cloud as the operator. */
  readonly operatorEnvironment: Record<string, string>;
  readonly functionNames: readonly string[];
  readonly logs: { subscribe(listener: (line: LogLine) => void): () => void };
  /** Invokes a function, by its full or short name, with any event that JSON can hold. */
  invoke(functionName: string, event: unknown): Promise<InvocationResult>;
  /** Ends the idle instances of a function, by its full or short name: the next event starts another. */
  endInstances(functionName: string): Promise<void>;
  /** Fires the rules that target this function, now. */
  fireSchedule(functionName: string, time?: Date): Promise<void>;
  /** Reports every call at the AWS endpoint. The returned function ends the reports. */
  observe(observer: (call: ObservedCall) => void): () => void;
  /** Lets faults into the calls at the AWS endpoint. The returned function ends the faults. */
  intercept(interceptor: Interceptor): () => void;
  /** Reports every request to the API. The returned function ends the reports. */
  onRequest(listener: (line: AccessLogLine) => void): () => void;
  /** How long the processor has worked on the events of all functions since the start. */
  functionMilliseconds(): number;
  /** By function: the grants of its role that no call has needed since the start. */
  permissions(): Readonly<Record<string, readonly Grant[]>>;
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
    await cleanUp();
    throw error;
  }
}

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

  const blueprint = readBlueprint(options, { aws: endpoint.url, api: url });
  const tableName = blueprint.tables[0]?.name ?? '';
  const dynamo = await startDynamoDb(dataDir, dynamoEndpointSetting());
  cleanups.push(() => dynamo.stop());
  await refuseOtherLayout(dynamo.endpoint, tableName);
  await ensureTables(dynamo.endpoint, blueprint.tables);
  await sayLayout(dynamo.endpoint, tableName);
  const sqs = new Sqs(dataDir, blueprint.queues);
  cleanups.push(() => sqs.stop());

  const logs = new Logs();
  const compileCache = join(dataDir, 'compile-cache');
  makePrivateFolder(compileCache);
  const { endsInstance = () => false } = options;
  const code = installCode(dataDir, blueprint.functions);
  let functionMilliseconds = 0;
  const onWorked = (processorMilliseconds: number) => {
    functionMilliseconds += processorMilliseconds;
  };
  const runner = { endpoint, logs, compileCache, endsInstance, onWorked };
  const functions = new Functions(code, runner, options.maximumInstances);
  endpoint.connect({
    dynamoEndpoint: dynamo.endpoint,
    tables: blueprint.tables,
    conflicts: new Conflicts(blueprint.tables, options.transactionMilliseconds),
    sqs,
    kms: new Kms(dataDir, blueprint.keys),
    invoke: (name, payload) => invocationAnswer(functions, name, payload),
  });
  const redelivery = options.maximumRedeliverySeconds ?? DEFAULT_REDELIVERY_SECONDS;
  const eventSources = blueprint.eventSources.map(
    (plan) => new EventSource(plan, { sqs, functions, logs, maximumRedeliverySeconds: redelivery }),
  );
  const schedules = blueprint.schedules.map((plan) => ({ plan, schedule: new Schedule(plan, functions) }));

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
  };

  for (const source of eventSources) source.start();
  if (options.schedules ?? true) for (const { schedule } of schedules) schedule.start();
  gateway.connect(blueprint.apis[0], functions);
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
    () => functions.stop(),
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
    functionNames: functions.names,
    logs,
    invoke: (name, event) => functions.invoke(name, JSON.stringify(event)),
    endInstances: (name) => functions.endInstances(name),
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
    permissions: () => functions.unusedGrants(),
    stop,
  };
}

function readBlueprint({ assembly, parameters = {} }: BootOptions, addresses: { aws: string; api: string }): Blueprint {
  const resolver = new Resolver(loadAssembly(assembly), parameters, addresses);
  return blueprintOf(resolver);
}

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
