import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers';
import type { AwsEndpoint } from './aws-endpoint.ts';
import type { FunctionProcess } from './function-processes.ts';
import type { FunctionFailure, InstanceMessage, InstanceSettings, Invocation } from './function-protocol.ts';
import type { Logs } from './logs.ts';
import { REGION } from './names.ts';
import { type FunctionPlan, handlerOf } from './plans/functions.ts';

/** One instance of a function, in a process of its own. */

/** Lambda's limit of 6 MB, for an event and for a result. */
export const MAXIMUM_PAYLOAD_BYTES = 6 * 1_048_576;

/** After two minutes, a machine that has nothing to do has its memory back. */
const IDLE_MILLISECONDS = 110_000;
const COMPUTING_MILLISECONDS = 1_000;
/** The memory of an instance that has answered some requests. */
export const USUAL_MEGABYTES = 24;
/** Lambda gives code ten seconds to load, or the function's own time if that is longer. */
const MINIMUM_LOAD_SECONDS = 10;

export interface InvocationResult {
  readonly payload: string;
  readonly functionError?: 'Unhandled';
}

export interface RunnerOptions {
  readonly endpoint: AwsEndpoint;
  readonly logs: Logs;
  /** Asked after each answer, because Lambda may end an instance at any time. */
  readonly endsInstance: () => boolean;
  readonly onWorked: (processorMilliseconds: number) => void;
  /** The same function with the code that it is to run, before its first event. By default, it has that. */
  readonly codeOf?: (plan: FunctionPlan) => Promise<FunctionPlan>;
}

export function failed(failure: FunctionFailure): InvocationResult {
  return { payload: JSON.stringify(failure), functionError: 'Unhandled' };
}

export interface InstanceEvents {
  readonly ready: () => void;
  /** The instance has ended, with a failure if it was never ready. */
  readonly gone: (failure?: FunctionFailure) => void;
}

/** @returns 0 where the system does not tell */
function ownMegabytes(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

const SIGNALS: Readonly<Record<string, string>> = { SIGABRT: 'aborted', SIGKILL: 'killed' };

export class Instance {
  readonly #plan: FunctionPlan;
  readonly #options: RunnerOptions;
  readonly #events: InstanceEvents;
  readonly #process: FunctionProcess;
  /** Tells the instance's calls to AWS from those of its siblings. */
  readonly #sessionToken = randomUUID();
  readonly #hasEnded = Promise.withResolvers<void>();
  #state: 'starting' | 'idle' | 'busy' | 'gone' = 'starting';
  #current: { readonly requestId: string; readonly finish: (result: InvocationResult) => void } | undefined;
  #failure: FunctionFailure | undefined;
  #timer: NodeJS.Timeout | undefined;
  #since = performance.now();
  #endsWhenIdle = false;

  constructor(
    plan: FunctionPlan,
    accessKeyId: string,
    process: FunctionProcess,
    options: RunnerOptions,
    events: InstanceEvents,
  ) {
    this.#plan = plan;
    this.#process = process;
    this.#options = options;
    this.#events = events;
    const logStream = `local/[$LATEST]${randomBytes(8).toString('hex')}`;
    const settings: InstanceSettings = {
      ...handlerOf(plan),
      functionName: plan.name,
      functionArn: plan.arn,
      memoryMegabytes: plan.memoryMegabytes,
      logGroup: plan.logGroup,
      logStream,
      environment: this.#environment(accessKeyId, logStream),
    };
    this.#followMessages();
    this.#process.on('error', (error) => this.#crash(error));
    this.#process.on('close', (code, signal) => this.#exit(code, signal));
    const requestId = () => this.#current?.requestId;
    options.logs.follow(this.#process.stdout, 'INFO', plan.name, requestId);
    options.logs.follow(this.#process.stderr, 'ERROR', plan.name, requestId);
    this.#send(settings);
    this.#timer = after(() => this.#exceed(), Math.max(MINIMUM_LOAD_SECONDS, plan.timeoutSeconds) * 1_000);
  }

  /** What ends with its process. A young instance will soon take as much as is usual. */
  get megabytes(): number {
    return Math.max(USUAL_MEGABYTES, ownMegabytes(this.#process.pid));
  }

  get idleSince(): number {
    return this.#since;
  }

  get isIdle(): boolean {
    return this.#state === 'idle';
  }

  get isStarting(): boolean {
    return this.#state === 'starting';
  }

  /** What has taken longer waits for somebody else. */
  get isComputing(): boolean {
    const isAtWork = this.#state === 'starting' || this.#state === 'busy';
    return isAtWork && performance.now() - this.#since < COMPUTING_MILLISECONDS;
  }

  invoke(event: string): Promise<InvocationResult> {
    const requestId = randomUUID();
    clearTimeout(this.#timer);
    this.#enter('busy');
    this.#options.endpoint.attribute(this.#sessionToken, requestId);
    const milliseconds = this.#plan.timeoutSeconds * 1_000;
    const invocation: Invocation = {
      requestId,
      event,
      deadline: Date.now() + milliseconds,
      traceId: `Root=1-${Math.floor(Date.now() / 1_000).toString(16)}-${randomBytes(12).toString('hex')};Sampled=0`,
    };
    this.#timer = after(() => this.#exceed(), milliseconds);
    return new Promise((resolve) => {
      this.#current = { requestId, finish: resolve };
      this.#send(invocation);
    });
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#state === 'idle') this.#state = 'gone';
    await this.#kill();
  }

  endWhenIdle(): void {
    this.#endsWhenIdle = true;
    if (this.isIdle) void this.end();
  }

  #enter(state: 'idle' | 'busy'): void {
    this.#state = state;
    this.#since = performance.now();
  }

  #send(line: InstanceSettings | Invocation): void {
    this.#process.stdin.write(`${JSON.stringify(line)}\n`);
  }

  #kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    return this.#hasEnded.promise;
  }

  /** Takes the output before a message of the same moment, so that the log knows which request wrote it. */
  #followMessages(): void {
    const messages = this.#process.stdio[3];
    if (!(messages instanceof Readable)) throw new Error('An instance is started with a pipe for its messages.');
    followLines(messages, (line) => setImmediate(() => this.#receive(line)));
    // A process that has just ended takes no event any more: its end says so.
    this.#process.stdin.on('error', () => {});
  }

  /** The variables of the template, and those that Lambda sets. */
  #environment(accessKeyId: string, logStream: string): Record<string, string> {
    const { name, memoryMegabytes, environment, handler, logGroup, logFormat, codeFolder, runtime } = this.#plan;
    const endpoint = this.#options.endpoint.url;
    return {
      ...environment,
      _HANDLER: handler,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_DEFAULT_REGION: REGION,
      AWS_EXECUTION_ENV: `AWS_Lambda_${runtime}`,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_FORMAT: logFormat,
      AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
      AWS_LAMBDA_LOG_STREAM_NAME: logStream,
      AWS_REGION: REGION,
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: this.#sessionToken,
      LAMBDA_TASK_ROOT: codeFolder,
      // The developer's own AWS configuration must not affect a function.
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ENDPOINT_URL_KMS: endpoint,
      AWS_ENDPOINT_URL_LAMBDA: endpoint,
      AWS_ENDPOINT_URL_SQS: endpoint,
    };
  }

  #receive(line: string): void {
    const end = line.indexOf('\t');
    const message: InstanceMessage = JSON.parse(line.slice(0, end));
    if (message.kind === 'ready') {
      this.#rest();
      if (this.#endsWhenIdle) void this.end();
      this.#events.ready();
      return;
    }
    if (message.kind === 'crash') {
      this.#failure = message.failure;
      return;
    }
    this.#options.onWorked(message.processorMilliseconds);
    if (message.kind === 'result') {
      const payload = line.slice(end + 1);
      const isTooLarge = Buffer.byteLength(payload) > MAXIMUM_PAYLOAD_BYTES;
      this.#finish(isTooLarge ? this.#logged(tooLarge(payload)) : { payload });
    } else {
      this.#finish(this.#logged(message.failure));
    }
  }

  #finish(result: InvocationResult): void {
    const current = this.#current;
    this.#current = undefined;
    this.#options.endpoint.attribute(this.#sessionToken, undefined);
    if (this.#state === 'busy') {
      this.#rest();
      if (this.#endsWhenIdle || this.#options.endsInstance()) void this.end();
    }
    current?.finish(result);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#enter('idle');
    this.#timer = after(() => void this.end(), IDLE_MILLISECONDS).unref();
  }

  #exceed(): void {
    const seconds = this.#plan.timeoutSeconds.toFixed(2);
    this.#failure = {
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${this.#current?.requestId ?? 'none'} Error: Task timed out after ${seconds} seconds`,
    };
    void this.#kill();
  }

  #crash({ name, message }: Error): void {
    this.#failure = { errorType: name, errorMessage: message };
  }

  /** V8 aborts the process when its memory is used up. */
  #exit(code: number | null, signal: string | null): void {
    clearTimeout(this.#timer);
    const wasStarting = this.#state === 'starting';
    this.#state = 'gone';
    const reason = signal === null ? `with code ${code}` : `with error: signal: ${SIGNALS[signal] ?? signal}`;
    const exitError = { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited ${reason}` };
    const failure = this.#failure ?? exitError;
    if (this.#current) this.#finish(this.#logged(failure));
    else if (wasStarting) this.#logged(failure);
    this.#events.gone(wasStarting ? failure : undefined);
    this.#hasEnded.resolve();
  }

  #logged(failure: FunctionFailure): InvocationResult {
    const requestId = this.#current?.requestId;
    this.#options.logs.write(this.#plan.name, requestId, { level: 'ERROR', message: 'Invocation failed', ...failure });
    return failed(failure);
  }
}

/** Unlike `node:readline`, does not end a line at U+2028, which JSON may have in a text. */
function followLines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    if (!text.includes('\n')) return;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

function tooLarge(payload: string): FunctionFailure {
  return {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size (${Buffer.byteLength(payload)} bytes) exceeded maximum allowed payload size (${MAXIMUM_PAYLOAD_BYTES} bytes).`,
  };
}
