import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers';
import { callerArn, type FunctionPlan } from './blueprint.ts';
import type { FunctionFailure } from './function-protocol.ts';
import { failed, Instance, type InvocationResult, MAXIMUM_PAYLOAD_BYTES, type RunnerOptions } from './instance.ts';
import { type Grant, RolePolicy } from './policy.ts';

/**
 * Runs functions as Lambda does: each instance apart from all others, one event at a time, started on demand, ended when it exceeds its time
 * or has long been idle. What happens to one never touches another.
 */

const DEFAULT_INSTANCES = 8;
/** Of all functions together, unless told otherwise: an instance takes some 40 MB. Beyond it, the one that has been idle longest makes room. */
const MAXIMUM_INSTANCES = 48;
/**
 * How long an event waits for a warm instance before another is started: longer than most requests take, and about as long as a start. More instances
 * than the events need cost them time: all compile their code anew, and take the processors from each other.
 */
const SCALE_OUT_MILLISECONDS = 100;
/** An event that has waited this long for an instance is throttled: whoever sent it has given up. */
const MAXIMUM_WAIT_MILLISECONDS = 30_000;

export class EventTooLargeError extends Error {}
export class ThrottledError extends Error {}
export class UnknownFunctionError extends Error {}

export class Functions {
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #maximumInstances: number;

  constructor(plans: readonly FunctionPlan[], options: RunnerOptions, maximumInstances = MAXIMUM_INSTANCES) {
    this.#maximumInstances = maximumInstances;
    const makeRoom = () => this.#makeRoom();
    this.#pools = new Map(plans.map((plan) => [plan.name, new Pool(plan, options, makeRoom)]));
  }

  get names(): string[] {
    return [...this.#pools.keys()].sort();
  }

  /** Takes the name as deployed, or its end where that names one function only (`sync-scheduler` for `billwright-sync-scheduler`). */
  resolve(name: string): string {
    if (this.#pools.has(name)) return name;
    const candidates = this.names.filter((full) => full.endsWith(`-${name}`));
    const [found] = candidates;
    if (candidates.length === 1 && found !== undefined) return found;
    throw new UnknownFunctionError(
      `There is no function ${name}${candidates.length > 1 ? ' alone' : ''}. There are: ${this.names.join(', ')}`,
    );
  }

  /** Invokes a function with an event that is JSON text. */
  async invoke(name: string, event: string, requestId: string = randomUUID()): Promise<InvocationResult> {
    const pool = this.#pools.get(this.resolve(name));
    if (!pool) throw new UnknownFunctionError(name);
    return pool.invoke(event, requestId);
  }

  policyOf(name: string): RolePolicy | undefined {
    return this.#pools.get(name)?.policy;
  }

  unusedGrants(): Record<string, Grant[]> {
    return Object.fromEntries([...this.#pools].map(([name, { policy }]) => [name, policy.unusedGrants()]));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.stop()));
  }

  #makeRoom(): void {
    const instances = [...this.#pools.values()].flatMap((pool) => [...pool.instances]);
    if (instances.length < this.#maximumInstances) return;
    const [oldest] = instances.filter(({ isIdle }) => isIdle).sort((a, b) => a.idleSince - b.idleSince);
    void oldest?.end();
  }
}

interface Pending {
  readonly event: string;
  readonly requestId: string;
  /** Milliseconds of a monotonic clock. */
  readonly arrivedAt: number;
  readonly resolve: (result: InvocationResult) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** All instances of one function, and the events that wait for one. */
class Pool {
  readonly policy: RolePolicy;
  readonly #plan: FunctionPlan;
  readonly #options: RunnerOptions;
  readonly #accessKeyId = `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;
  readonly #waiting = new Set<Pending>();
  readonly #instances = new Set<Instance>();
  readonly #makeRoom: () => void;
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

  get instances(): ReadonlySet<Instance> {
    return this.#instances;
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

  /**
   * One instance after the other, and none while the warm ones may yet get through: instances that start all at once would take the processors
   * from those that work.
   */
  #planScaleOut(): void {
    const instances = [...this.#instances];
    const maximum = this.#plan.reservedConcurrency ?? DEFAULT_INSTANCES;
    if (instances.length >= maximum || instances.some(({ isStarting }) => isStarting)) return;
    if (instances.length === 0) this.#startInstance();
    else this.#scaleOut ??= after(() => this.#scaleOutNow(), Math.max(1, SCALE_OUT_MILLISECONDS - this.#longestWait()));
  }

  #scaleOutNow(): void {
    this.#scaleOut = undefined;
    if (this.#longestWait() >= SCALE_OUT_MILLISECONDS) this.#startInstance();
    else if (this.#waiting.size > 0) this.#planScaleOut();
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

  /** An instance that fails to load its code takes one event with it, as on Lambda; the next event gets another try. */
  #failFirst(failure: FunctionFailure): void {
    this.#takeFirst()?.resolve(failed(failure));
  }
}
