import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, inject } from 'vitest';
import { functionsOf, tables } from '#infra/functions.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { EventTooLargeError, type FunctionIdentity, ThrottledError } from '#scripts/local/functions.ts';
import { Gateway } from '#scripts/local/gateway.ts';
import { failed, type InvocationResult, MAXIMUM_PAYLOAD_BYTES } from '#scripts/local/instance.ts';
import type { HttpHandler } from '#shared/http/stack.ts';
import { AwsHttp } from '#shared/runtime/aws-http.ts';

/**
 * The API as most tests call it: the local cloud's gateway, with functions in the test's own process. An instance of a
 * function would take longer to start than most tests take. Each call of a function to AWS goes to the local cloud with
 * the identity of that function, so the cloud checks it against the function's role.
 */

export type Hosting = Pick<Cloud, 'api' | 'identities' | 'url'>;

const root = join(import.meta.dirname, '../..');
const areas = new Map<string, string>(functionsOf(tables).map(({ name, area }) => [name, area]));

/** Loads the code of a function. Those that answer static files are loaded as they are built, with their files. */
export async function handlerOf(shortName: string): Promise<HttpHandler> {
  const area = areas.get(shortName) ?? '';
  if (area === 'meta') return require(join(root, 'dist/functions', area, shortName, 'index.js')).handler;
  return (await import(join(root, 'functions', area, `${shortName}.ts`))).handler;
}

const require = createRequire(import.meta.url);

let identities: ReadonlyMap<string, FunctionIdentity> = new Map();
let gateway: Promise<string> | undefined;
/** Addresses at which instances of the cloud serve the API. */
let instancesUrl = '';
let isBusy = false;
let usesInstances = false;

/** `billwright-create-entry` -> `create-entry` */
const shortNameOf = (name: string) => name.slice(name.indexOf('-') + 1);

/** Lets the functions of this process act as those of a cloud. */
export function actIn(hosting: Hosting): void {
  identities = new Map(hosting.identities.map((identity) => [shortNameOf(identity.name), identity]));
  for (const { environment } of hosting.identities) Object.assign(process.env, environment);
  instancesUrl = hosting.url;
}

/**
 * Makes a request to the API. This process takes one event at a time, as an instance of a function does; requests beside
 * it go to the instances of the cloud, some at a time.
 */
export async function request<T>(make: (url: string) => Promise<T>): Promise<T> {
  if (usesInstances) return make(instancesUrl);
  if (isBusy) return inTurn(() => make(instancesUrl));
  isBusy = true;
  try {
    gateway ??= serveInProcess();
    return await make(await gateway);
  } finally {
    isBusy = false;
  }
}

/** Six requests at once race as well as thirty do, each of which would start an instance. */
const MOST_BESIDE = 5;

let underWay = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(make: () => Promise<T>): Promise<T> {
  if (underWay === MOST_BESIDE) await new Promise<void>((resolve) => waiting.push(resolve));
  else underWay += 1;
  try {
    return await make();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }
}

async function serveInProcess(): Promise<string> {
  const served = new Gateway();
  const port = await served.listen(0);
  served.connect(inject('hosting').api, { invoke: (name, event) => invokeNamed(shortNameOf(name), event) });
  return `http://localhost:${port}`;
}

async function invokeNamed(shortName: string, event: string): Promise<InvocationResult> {
  const handler = await handlerOf(shortName);
  try {
    if (Buffer.byteLength(event) > MAXIMUM_PAYLOAD_BYTES) throw new EventTooLargeError('The event is over 6 MB.');
    const payload = JSON.stringify(await asFunction(shortName, (context) => handler(JSON.parse(event), context)));
    if (Buffer.byteLength(payload) <= MAXIMUM_PAYLOAD_BYTES) return { payload };
    throw new ThrottledError('The answer is larger than Lambda lets through.');
  } catch (error) {
    if (error instanceof EventTooLargeError) throw error;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return failed({ errorType: name, errorMessage: message, trace: [] });
  }
}

const acting = new AsyncLocalStorage<FunctionIdentity>();

/** Runs code of a function with its role and its time. */
export async function asFunction<T>(
  shortName: string,
  run: (context: Context) => T | Promise<T>,
  milliseconds?: number,
): Promise<T> {
  const identity = identities.get(shortName);
  if (!identity) throw new Error(`The cloud has no function ${shortName}.`);
  const endsAt = performance.now() + (milliseconds ?? identity.timeoutSeconds * 1_000);
  const context = { getRemainingTimeInMillis: () => endsAt - performance.now() } as Context;
  return acting.run(identity, async () => run(context));
}

/** Runs what somebody else does in answer to a call of a function, so without its role. */
export function outsideFunctions<T>(run: () => T): T {
  return acting.exit(run);
}

/** All clients of AWS send through this. The access key id of the signature says who calls. */
const { handle } = AwsHttp.prototype;
AwsHttp.prototype.handle = function (request, options) {
  const { authorization = '' } = request.headers;
  const identity = acting.getStore();
  if (identity) request.headers.authorization = authorization.replace(/(?<=Credential=)[^/]+/, identity.accessKeyId);
  return handle.call(this, request, options);
};

/** Lets the clients of this process call functions in processes of their own, as Lambda runs them. */
export function callInstances(): void {
  usesInstances = true;
}

/** The same for the clients of this file. */
export function useInstances(): void {
  beforeAll(callInstances);
  afterAll(() => {
    usesInstances = false;
  });
}
