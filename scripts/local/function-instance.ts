import 'node:crypto';
import { existsSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import 'node:https';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
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

/** What this instance had to compile, by the file beside the code that is to keep it. */
const compiled = new Map<string, Script>();

const OPENING = '(function (exports, require, module, __filename, __dirname) {';

/**
 * Begins with all that another instance has compiled until its first answer. The cache of Node.js keeps only what is
 * compiled at loading: a first call took a third longer.
 */
function compile(this: Module, source: string, filename: string): void {
  const file = `${filename}.compiled`;
  const cachedData = existsSync(file) ? readFileSync(file) : undefined;
  const script = new Script(`${OPENING}${source}\n})`, {
    filename,
    columnOffset: -OPENING.length,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (!cachedData || script.cachedDataRejected) compiled.set(file, script);
  const load = script.runInThisContext();
  load.call(this.exports, this.exports, createRequire(filename), this, filename, dirname(filename));
}

/** The folder of former code may be gone. */
function keepCompiled(): void {
  for (const [file, script] of compiled) {
    if (!existsSync(dirname(file))) continue;
    const draft = `${file}-${process.pid}`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, file);
  }
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
Object.assign(process.env, settings.environment);
Object.assign(Module.prototype, { _compile: compile });
process.on('uncaughtException', crash);
const handler = await loadHandler().catch(crash);
send({ kind: 'ready' });
await invoke(handler, JSON.parse(nextLine()));
keepCompiled();
for (;;) await invoke(handler, JSON.parse(nextLine()));
