import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AMZ_JSON, type Answer } from './aws-answer.ts';
import {
  authorize,
  type Caller,
  credentialOf,
  operationOf,
  parseJson,
  refuseBrowsers,
  type Service,
} from './aws-request.ts';
import type { Conflicts } from './conflicts.ts';
import { DynamoDbNeeds } from './dynamodb-needs.ts';
import { EmulatorClient } from './emulator-client.ts';
import { close, listen, readBody } from './http.ts';
import type { Kms } from './kms.ts';
import { arn } from './names.ts';
import type { TablePlan } from './plans/tables.ts';
import { ServiceError } from './service-error.ts';
import type { Sqs } from './sqs.ts';

/**
 * Stands in front of all emulators and lets through what the role of the caller allows. A permission that is missing
 * fails here, before it fails in the cloud.
 */

export interface Call {
  /** Undefined for the operator. */
  readonly functionName?: string;
  /** The invocation that the call belongs to. */
  readonly requestId?: string;
  readonly service: Service;
  readonly operation: string;
  readonly requestBody: string;
}

/** The same object that interceptors were asked about. */
export interface ObservedCall extends Call {
  readonly status: number;
  readonly responseBody: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * With nothing, the call goes on. An answer replaces that of the service. `drop` breaks the connection before the
 * service has seen the call, `dropAnswer` afterwards.
 */
export type Interception =
  | undefined
  | { readonly status: number; readonly body: string }
  | { readonly delayMilliseconds: number }
  | 'drop'
  | 'dropAnswer';

export type Interceptor = (call: Call) => Interception | Promise<Interception>;

export interface Emulators {
  readonly dynamoEndpoint: string;
  readonly tables: readonly TablePlan[];
  /** Absent where transactions may not conflict. */
  readonly conflicts?: Conflicts;
  readonly sqs: Sqs;
  readonly kms: Kms;
  readonly invoke: (functionName: string, payload: string) => Promise<Answer>;
}

const MAXIMUM_BODY_BYTES = 17 * 1_048_576;
const INVOCATION_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export class AwsEndpoint {
  readonly #server: Server;
  readonly #emulator = new EmulatorClient();
  readonly #callers = new Map<string, Caller>();
  /** Invocations by the session token of the instance that works on them. */
  readonly #invocations = new Map<string, string>();
  readonly #observers = new Set<(call: ObservedCall) => void>();
  readonly #interceptors = new Set<Interceptor>();
  #emulators: (Emulators & { readonly needs: DynamoDbNeeds }) | undefined;
  #url = '';

  constructor() {
    this.#server = createServer(
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    );
    // The SDK keeps connections open. If the server closed them first, its next call would fail.
    this.#server.keepAliveTimeout = 120_000;
  }

  async start(): Promise<void> {
    this.#url = `http://127.0.0.1:${await listen(this.#server, 0, '127.0.0.1')}`;
  }

  get url(): string {
    return this.#url;
  }

  connect(emulators: Emulators): void {
    this.#emulators = { ...emulators, needs: new DynamoDbNeeds(emulators.tables) };
  }

  addCaller(accessKeyId: string, caller: Caller): void {
    this.#callers.set(accessKeyId, caller);
  }

  attribute(sessionToken: string, requestId: string | undefined): void {
    if (requestId === undefined) this.#invocations.delete(sessionToken);
    else this.#invocations.set(sessionToken, requestId);
  }

  observe(observer: (call: ObservedCall) => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  intercept(interceptor: Interceptor): () => void {
    this.#interceptors.add(interceptor);
    return () => this.#interceptors.delete(interceptor);
  }

  async stop(): Promise<void> {
    await close(this.#server);
    this.#emulator.stop();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.#answer(request);
      if (answer === 'drop') response.destroy();
      else send(response, answer);
    } catch (error) {
      if (!response.destroyed) send(response, refusalOf(error));
    }
  }

  async #answer(request: IncomingMessage): Promise<Answer | 'drop'> {
    refuseBrowsers(request.headers);
    const body = await readBody(request, MAXIMUM_BODY_BYTES);
    if (body === null) throw new ServiceError('RequestEntityTooLarge', 'The request is too large.', 413);
    const { accessKeyId, service } = credentialOf(request.headers);
    const caller = this.#callers.get(accessKeyId);
    if (!caller) throw new ServiceError('UnrecognizedClientException', 'The security token is invalid.');
    const sessionToken = String(request.headers['x-amz-security-token'] ?? '');
    const call: Call = {
      functionName: caller.functionName,
      requestId: this.#invocations.get(sessionToken),
      service,
      operation: operationOf(request),
      requestBody: body.toString(),
    };
    const startedAt = performance.now();
    const answer = await this.#withInterceptors(call, () =>
      this.#perform(caller, call, request, body).catch(refusalOf),
    );
    if (answer !== 'drop' && this.#observers.size > 0) {
      const endedAt = performance.now();
      const { status, body: responseBody } = answer;
      const observed = Object.assign(call, { status, responseBody: responseBody.toString(), startedAt, endedAt });
      for (const observer of this.#observers) observer(observed);
    }
    return answer;
  }

  async #withInterceptors(call: Call, perform: () => Promise<Answer>): Promise<Answer | 'drop'> {
    for (const interceptor of this.#interceptors) {
      const interception = await interceptor(call);
      if (interception === 'drop') return 'drop';
      if (interception === 'dropAnswer') {
        await perform();
        return 'drop';
      }
      if (interception && 'delayMilliseconds' in interception) await sleep(interception.delayMilliseconds);
      else if (interception) return { ...interception, headers: { 'content-type': AMZ_JSON } };
    }
    return perform();
  }

  async #perform(caller: Caller, call: Call, request: IncomingMessage, body: Buffer): Promise<Answer> {
    const emulators = this.#emulators;
    if (!emulators) throw new ServiceError('ServiceUnavailable', 'The local cloud is starting.', 503);
    const { service, operation } = call;
    if (service === 'lambda') {
      const [, name = ''] = INVOCATION_PATH.exec(operation) ?? [];
      authorize(caller, [{ action: 'lambda:InvokeFunction', resource: arn('lambda', `function:${name}`) }]);
      return emulators.invoke(decodeURIComponent(name), call.requestBody);
    }
    const parsed = parseJson(call.requestBody);
    if (service === 'dynamodb') {
      if (caller.policy) authorize(caller, emulators.needs.of(operation, parsed));
      const { conflicts, dynamoEndpoint } = emulators;
      const perform = () => this.#emulator.forward(dynamoEndpoint, request.headers, body);
      return conflicts ? conflicts.pass(operation, parsed, perform) : perform();
    }
    if (service === 'sqs') {
      const action = `sqs:${operation.replace(/Batch$/, '')}`;
      authorize(caller, [{ action, resource: emulators.sqs.arnOf(parsed) }]);
      return jsonAnswer(emulators.sqs.call(operation, parsed));
    }
    const { kms } = emulators;
    const conditionValues = kms.contextOf(parsed);
    authorize(caller, [{ action: `kms:${operation}`, resource: kms.keyArnOf(parsed), conditionValues }]);
    return jsonAnswer(kms.call(operation, parsed));
  }
}

/** Without its length, an answer would go in chunks. */
function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function refusalOf(error: unknown): Answer {
  const { status, type, body } =
    error instanceof ServiceError ? error : new ServiceError('InternalServerError', 'The emulator failed.', 500);
  return { status, headers: { 'content-type': AMZ_JSON, 'x-amzn-errortype': type }, body };
}

function jsonAnswer(result: unknown): Answer {
  return { status: 200, headers: { 'content-type': AMZ_JSON }, body: JSON.stringify(result) };
}
