import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers';
import type { FunctionFailure } from './function-protocol.ts';
import {
  failed,
  Instance,
  type InvocationResult,
  MAXIMUM_PAYLOAD_BYTES,
  type RunnerOptions,
  USUAL_MEGABYTES,
} from './instance.ts';
import { callerArn, type FunctionPlan } from './plans/functions.ts';
import { RolePolicy } from './policy.ts';

/** Runs functions as Lambda does: instances start on demand, and each takes one event at a time. */

const DEFAULT_INSTANCES = 8;
/**
 * Of all instances together. Beyond it, those that were idle longest make room, the first one of each function last.
 * With the host it is below 900 MB.
 */
const MAXIMUM_MEGABYTES = 740;
/**
 * A request waits this long for each instance that there is, before another one starts. More of them than needed compile
 * their code anew, and compete for the processors.
 */
const SCALE_OUT_MILLISECONDS = 100;
/** Its sender has given up by then. */
const MAXIMUM_WAIT_MILLISECONDS = 30_000;

/** As whom a function calls AWS, and with what around it. */
export interface FunctionIdentity extends Pick<FunctionPlan, 'name' | 'environment' | 'timeoutSeconds'> {
  /** Calls that are signed with this key have the function's role. */
  readonly accessKeyId: string;
}

export class EventTooLargeError extends Error {}
export class ThrottledError extends Error {}
export class UnknownFunctionError extends Error {}

export class Functions {
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #maximumMegabytes: number;

  constructor(plans: readonly FunctionPlan[], options: RunnerOptions, maximumMegabytes = MAXIMUM_MEGABYTES) {
    this.#maximumMegabytes = maximumMegabytes;
    const makeRoom = () => this.#makeRoom();
    this.#pools = new Map(plans.map((plan) => [plan.name, new Pool(plan, options, makeRoom)]));
  }

  /** Takes the deployed name, or its end: `sync-scheduler` for `billwright-sync-scheduler`. */
  resolve(name: string): string {
    if (this.#pools.has(name)) return name;
    const names = [...this.#pools.keys()].sort();
    const candidates = names.filter((full) => full.endsWith(`-${name}`));
    const [found] = candidates;
    if (candidates.length === 1 && found !== undefined) return found;
    throw new UnknownFunctionError(
      `There is no function ${name}${candidates.length > 1 ? ' alone' : ''}. There are: ${names.join(', ')}`,
    );
  }

  async invoke(name: string, event: string, requestId: string = randomUUID()): Promise<InvocationResult> {
    const pool = this.#pools.get(this.resolve(name));
    if (!pool) throw new UnknownFunctionError(name);
    await pool.hasCode();
    return pool.invoke(event, requestId);
  }

  async endInstances(name: string): Promise<void> {
    const instances = this.#pools.get(this.resolve(name))?.instances ?? [];
    await Promise.all([...instances].filter(({ isIdle }) => isIdle).map((instance) => instance.end()));
  }

  /** Also those at work, whose event fails. */
  async killInstances(name: string): Promise<void> {
    const instances = this.#pools.get(this.resolve(name))?.instances ?? [];
    await Promise.all([...instances].map((instance) => instance.end()));
  }

  /** Goes on with other code: instances of the former end, once they are idle. */
  renewCode(plans: readonly FunctionPlan[]): void {
    for (const plan of plans) this.#pools.get(plan.name)?.renewCode(plan);
  }

  policyOf(name: string): RolePolicy | undefined {
    return this.#pools.get(name)?.policy;
  }

  get identities(): FunctionIdentity[] {
    return [...this.#pools.values()].map(({ identity }) => identity);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.stop()));
  }

  #makeRoom(): void {
    const sizes = [...this.#pools.values()].flatMap(({ instances }) =>
      [...instances].map((instance, position) => ({
        instance,
        isFirst: position === 0,
        megabytes: instance.megabytes,
      })),
    );
    let excess = sizes.reduce((sum, { megabytes }) => sum + megabytes, USUAL_MEGABYTES) - this.#maximumMegabytes;
    // The first one of a function has the most code compiled, and the next call would be cold without it.
    const idle = sizes
      .filter(({ instance }) => instance.isIdle)
      .sort((a, b) => Number(a.isFirst) - Number(b.isFirst) || a.instance.idleSince - b.instance.idleSince);
    for (const { instance, megabytes } of idle) {
      if (excess <= 0) return;
      excess -= megabytes;
      void instance.end();
    }
  }
}

interface Pending {
  readonly event: string;
  readonly requestId: string;
  readonly arrivedAt: number;
  readonly resolve: (result: InvocationResult) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

class Pool {
  readonly policy: RolePolicy;
  #plan: FunctionPlan;
  readonly #options: RunnerOptions;
  readonly #accessKeyId = `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;
  readonly #waiting = new Set<Pending>();
  readonly #instances = new Set<Instance>();
  readonly #makeRoom: () => void;
  #code: Promise<void> | undefined;
  #scaleOut: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(plan: FunctionPlan, options: RunnerOptions, makeRoom: () => void) {
    this.#plan = plan;
    this.#makeRoom = makeRoom;
    this.#options = options;
    this.policy = new RolePolicy(plan.statements);
    options.endpoint.addCaller(this.#accessKeyId, {
      arn: callerArn(plan),
      functionName: plan.name,
      policy: this.policy,
    });
  }

  get identity(): FunctionIdentity {
    const { name, environment, timeoutSeconds } = this.#plan;
    return { name, environment, timeoutSeconds, accessKeyId: this.#accessKeyId };
  }

  get instances(): ReadonlySet<Instance> {
    return this.#instances;
  }

  async hasCode(): Promise<void> {
    this.#code ??= this.#options.codeOf?.(this.#plan).then((plan) => this.renewCode(plan));
    await this.#code;
  }

  renewCode(plan: FunctionPlan): void {
    this.#code = Promise.resolve();
    if (plan.codeFolder === this.#plan.codeFolder) return;
    this.#plan = plan;
    for (const instance of this.#instances) instance.endWhenIdle();
  }

  invoke(event: string, requestId: string): Promise<InvocationResult> {
    if (Buffer.byteLength(event) > MAXIMUM_PAYLOAD_BYTES) throw new EventTooLargeError('The event is over 6 MB.');
    return new Promise((resolve, reject) => {
      const timer = after(() => {
        this.#waiting.delete(pending);
        reject(new ThrottledError(`All instances of ${this.#plan.name} are busy.`));
      }, MAXIMUM_WAIT_MILLISECONDS);
      const pending: Pending = { event, requestId, arrivedAt: performance.now(), resolve, reject, timer };
      this.#waiting.add(pending);
      this.#dispatch();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#scaleOut);
    for (const pending of this.#waiting) {
      clearTimeout(pending.timer);
      pending.reject(new ThrottledError('The local cloud stops.'));
    }
    this.#waiting.clear();
    await Promise.all([...this.#instances].map((instance) => instance.end()));
  }

  #dispatch(): void {
    if (this.#isStopped) return;
    for (const instance of this.#instances) {
      if (this.#waiting.size === 0) return;
      if (instance.isIdle) this.#assign(instance);
    }
    if (this.#waiting.size > 0) this.#planScaleOut();
  }

  #assign(instance: Instance): void {
    const pending = this.#takeFirst();
    if (!pending) return;
    const { event, requestId, resolve } = pending;
    void instance.invoke(event, requestId).then((result) => {
      resolve(result);
      this.#dispatch();
    });
  }

  #takeFirst(): Pending | undefined {
    for (const pending of this.#waiting) {
      this.#waiting.delete(pending);
      clearTimeout(pending.timer);
      return pending;
    }
    return undefined;
  }

  /** Starts one instance at a time: many at once would take the processors from those that work. */
  #planScaleOut(): void {
    const instances = [...this.#instances];
    const maximum = Math.min(this.#plan.reservedConcurrency ?? DEFAULT_INSTANCES, DEFAULT_INSTANCES);
    if (instances.length >= maximum || instances.some(({ isStarting }) => isStarting)) return;
    if (instances.length === 0) this.#startInstance();
    else this.#scaleOut ??= after(() => this.#scaleOutNow(), Math.max(1, this.#patience() - this.#longestWait()));
  }

  #scaleOutNow(): void {
    this.#scaleOut = undefined;
    if (this.#longestWait() >= this.#patience()) this.#startInstance();
    else if (this.#waiting.size > 0) this.#planScaleOut();
  }

  #patience(): number {
    return SCALE_OUT_MILLISECONDS * this.#instances.size;
  }

  /** In whole milliseconds, as timers count. */
  #longestWait(): number {
    const [first] = this.#waiting;
    return first ? Math.round(performance.now() - first.arrivedAt) : 0;
  }

  #startInstance(): void {
    this.#makeRoom();
    const instance = new Instance(this.#plan, this.#accessKeyId, this.#options, {
      ready: () => this.#dispatch(),
      gone: (failure) => {
        this.#instances.delete(instance);
        if (failure) this.#failFirst(failure);
        this.#dispatch();
      },
    });
    this.#instances.add(instance);
  }

  /** As on Lambda, one event fails with an instance that cannot load its code. */
  #failFirst(failure: FunctionFailure): void {
    this.#takeFirst()?.resolve(failed(failure));
  }
}
