import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import type { FunctionFailure, InstanceMessage, InstanceSettings, Invocation } from './function-protocol.ts';

/**
 * The code inside one instance of a function, in a thread of its own. It loads the handler once and then serves one
 * event at a time, as Lambda's runtime does. Between two events the whole thread stands still, and so does everything
 * that a handler has left running.
 */

type Handler = (event: unknown, context: Context) => unknown;

const settings = workerData as InstanceSettings;

function send(message: InstanceMessage): void {
  parentPort?.postMessage(message);
}

async function loadHandler(): Promise<Handler> {
  const path = ['.js', '.mjs', '.cjs'].map((extension) => settings.file + extension).find(existsSync);
  if (path === undefined) throw new Error(`Cannot find module ${settings.file}`);
  // Only the host needs this variable: the function's environment is that of the template.
  delete process.env.NODE_COMPILE_CACHE;
  const module = await import(pathToFileURL(path).href);
  const handler = module[settings.exportName] ?? module.default?.[settings.exportName];
  if (typeof handler !== 'function') throw new Error(`${settings.exportName} is undefined or not exported`);
  return handler;
}

function contextOf({ requestId, deadline }: Invocation): Context {
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: settings.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: settings.functionArn,
    logGroupName: settings.logGroup,
    logStreamName: settings.logStream,
    memoryLimitInMB: String(settings.memoryMegabytes),
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    ...callbacksOfOldRuntimes,
  };
}

/** The types demand these callbacks. The runtime has refused them since Node.js 24. */
const callbacksOfOldRuntimes = { done: refuse, fail: refuse, succeed: refuse };

function refuse(): never {
  throw new Error('Callbacks are not part of this runtime: return a promise.');
}

function failureOf(error: unknown): FunctionFailure {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') };
}

async function invoke(handler: Handler, invocation: Invocation): Promise<void> {
  process.env._X_AMZN_TRACE_ID = invocation.traceId;
  const message = await outcomeOf(handler, invocation);
  for (const stream of [process.stdout, process.stderr]) await flush(stream);
  send(message);
  freeze();
}

async function outcomeOf(handler: Handler, invocation: Invocation): Promise<InstanceMessage> {
  try {
    const result = await handler(JSON.parse(invocation.event), contextOf(invocation));
    return { kind: 'result', payload: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    return { kind: 'failure', failure: failureOf(error) };
  }
}

/** A thread hands on its output piece by piece. It must hear that a piece has arrived before it hands on the next. */
async function flush(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
}

const wakings = new Int32Array(settings.wakings);
/** How many wakings were answered. */
let served = 0;

/** Returns when the next event was sent, or at once if it was sent already. */
function freeze(): void {
  Atomics.wait(wakings, 0, served);
  served += 1;
}

const handler = await loadHandler();
parentPort?.on('message', (invocation: Invocation) => void invoke(handler, invocation));
send({ kind: 'ready' });
freeze();
