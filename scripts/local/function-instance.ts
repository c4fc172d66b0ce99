import 'node:crypto';
import { existsSync, readSync, writeFileSync } from 'node:fs';
import 'node:https';
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import 'node:zlib';
import type { Context } from 'aws-lambda';
import type { FunctionFailure, InstanceMessage, InstanceSettings, Invocation, Outcome } from './function-protocol.ts';

/**
 * Runs in the process of an instance: is told which function it is, loads the handler once, and then serves one event
 * at a time. It waits for each in a read that blocks, so that everything stands still that a handler has left running.
 * The modules of Node.js that all functions load are there before, as on Lambda.
 */

type Handler = (event: unknown, context: Context) => unknown;

/** The protocol's file descriptors. Types alone can be imported here: this text is the whole program. */
const [LINES, MESSAGES] = [0, 3];

function send(message: InstanceMessage, payload = ''): void {
  writeFileSync(MESSAGES, `${JSON.stringify(message)}\t${payload}\n`);
}

async function loadHandler(): Promise<Handler> {
  const path = ['.js', '.mjs', '.cjs'].map((extension) => settings.file + extension).find(existsSync);
  if (path === undefined) throw new Error(`Cannot find module ${settings.file}`);
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
  const before = process.cpuUsage();
  const [outcome, payload] = await outcomeOf(handler, invocation);
  const { user, system } = process.cpuUsage(before);
  send({ ...outcome, processorMilliseconds: (user + system) / 1_000 }, payload);
}

async function outcomeOf(handler: Handler, invocation: Invocation): Promise<[Outcome, payload?: string]> {
  try {
    const result = await handler(JSON.parse(invocation.event), contextOf(invocation));
    return [{ kind: 'result' }, JSON.stringify(result) ?? 'null'];
  } catch (error) {
    return [{ kind: 'failure', failure: failureOf(error) }];
  }
}

const CHUNK_BYTES = 65_536;

/** Waits for the host, and all else waits with it. Ends the process when the host is gone. */
function nextLine(): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const bytes = readSync(LINES, chunk);
    if (bytes === 0) process.exit();
    chunks.push(chunk.subarray(0, bytes));
    if (chunk[bytes - 1] === NEW_LINE) return Buffer.concat(chunks).toString();
  }
}

const NEW_LINE = 0x0a;

function crash(error: unknown): never {
  send({ kind: 'crash', failure: failureOf(error) });
  process.exit(1);
}

const settings: InstanceSettings = JSON.parse(nextLine());
// Only Node.js needed this variable: the function's environment is that of the template.
delete process.env.NODE_COMPILE_CACHE;
Object.assign(process.env, settings.environment);
process.on('uncaughtException', crash);
const handler = await loadHandler().catch(crash);
// An instance is killed in the end, so it would never keep what it has compiled.
flushCompileCache();
send({ kind: 'ready' });
for (;;) await invoke(handler, JSON.parse(nextLine()));
