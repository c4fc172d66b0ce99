import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as after } from 'node:timers';
import { isDeepStrictEqual } from 'node:util';
import { type FunctionProcess, FunctionProcesses } from './function-processes.ts';
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

/**
 * Runs functions as Lambda does: instances start on demand, each takes one event at a time, and when as many are at work
 * as may be, further events wait in one line.
 */

/** The limit of one function: more than the receivers of one organization that may hang. */
const MAXIMUM_INSTANCES = 12;
const PROCESSORS = Math.max(2, availableParallelism());
/**
 * Of all functions together, the instances that compute. Each waits about half of the time for the table. With more of
 * them, none is quicker, and all are colder: more code is compiled, and less of it stays in memory.
 */
const MAXIMUM_COMPUTING = 2 * PROCESSORS;
/**
 * Of all instances together. Beyond it, those that were idle longest make room, the first one of each function last.
 * With the host it is below 900 MB.
 */
const MAXIMUM_MEGABYTES = 740;
/** An event waits this long for each instance of its function that there is, before another one starts. */
const SCALE_OUT_MILLISECONDS = 100;
/** While events wait: instances that wait for somebody else compute no more. */
const LOOK_MILLISECONDS = 50;
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

interface Pending {
  readonly pool: Pool;
  readonly event: string;
  readonly arrivedAt: number;
  readonly resolve: (result: InvocationResult) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class Functions {
  readonly #pools = new Map<string, Pool>();
  readonly #newPool: (plan: FunctionPlan) => Pool;
  readonly #processes: FunctionProcesses;
  readonly #maximumMegabytes: number;
  /** In the order of their arrival. */
  readonly #line = new Set<Pending>();
  #look: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(plans: readonly FunctionPlan[], options: RunnerOptions, maximumMegabytes = MAXIMUM_MEGABYTES) {
    this.#maximumMegabytes = maximumMegabytes;
    this.#processes = new FunctionProcesses(plans);
    const host: PoolHost = {
      processFor: (plan) => {
        this.#makeRoom();
        return this.#processes.take(plan);
      },
      changed: (pool, failure) => {
        if (failure) this.#failFirst(pool, failure);
        this.#dispatch();
      },
    };
    this.#newPool = (plan) => new Pool(plan, options, host);
    for (const plan of plans) this.#pools.set(plan.name, this.#newPool(plan));
    this.#processes.prepare();
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

  async invoke(name: string, event: string): Promise<InvocationResult> {
    const pool = this.#pools.get(this.resolve(name));
    if (!pool) throw new UnknownFunctionError(name);
    if (Buffer.byteLength(event) > MAXIMUM_PAYLOAD_BYTES) throw new EventTooLargeError('The event is over 6 MB.');
    await pool.hasCode();
    return new Promise((resolve, reject) => {
      const timer = after(() => {
        this.#line.delete(pending);
        reject(new ThrottledError(`All instances are busy: ${name} has waited in line.`));
      }, MAXIMUM_WAIT_MILLISECONDS);
      const pending: Pending = { pool, event, arrivedAt: performance.now(), resolve, reject, timer };
      this.#line.add(pending);
      this.#dispatch();
    });
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

  /**
   * Goes on with other code and roles, all at the same moment. A function that no plan names any more is called by
   * nobody, since its route is gone.
   *
   * @returns the names of those that have changed
   */
  renew(plans: readonly FunctionPlan[]): string[] {
    const known = new Set(this.#pools.keys());
    return plans.filter((plan) => this.#poolOf(plan).renew(plan) || !known.has(plan.name)).map(({ name }) => name);
  }

  #poolOf(plan: FunctionPlan): Pool {
    const pool = this.#pools.get(plan.name) ?? this.#newPool(plan);
    this.#pools.set(plan.name, pool);
    return pool;
  }

  policyOf(name: string): RolePolicy | undefined {
    return this.#pools.get(name)?.policy;
  }

  get identities(): FunctionIdentity[] {
    return [...this.#pools.values()].map(({ identity }) => identity);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#look);
    for (const pending of this.#line) this.#leave(pending).reject(new ThrottledError('The local cloud stops.'));
    await Promise.all([this.#processes.stop(), ...this.#instances().map((instance) => instance.end())]);
  }

  #instances(): Instance[] {
    return [...this.#pools.values()].flatMap(({ instances }) => [...instances]);
  }

  /** Who came first goes first, unless all instances of its function are busy. */
  #dispatch(): void {
    clearTimeout(this.#look);
    if (this.#isStopped) return;
    let computing = this.#instances().filter(({ isComputing }) => isComputing).length;
    if (this.#line.size === 0 && computing === 0) this.#processes.prepare();
    const busy = new Set<Pool>();
    for (const pending of this.#line) {
      if (computing >= MAXIMUM_COMPUTING) break;
      const { pool } = pending;
      if (busy.has(pool)) continue;
      const instance = pool.idleInstance();
      if (instance) this.#assign(instance, pending);
      else busy.add(pool);
      if (instance || pool.startsInstance(pending.arrivedAt)) computing += 1;
    }
    if (this.#line.size > 0) this.#look = after(() => this.#dispatch(), LOOK_MILLISECONDS);
  }

  #assign(instance: Instance, pending: Pending): void {
    const { event, resolve } = this.#leave(pending);
    void instance.invoke(event).then((result) => {
      resolve(result);
      this.#dispatch();
    });
  }

  #leave(pending: Pending): Pending {
    this.#line.delete(pending);
    clearTimeout(pending.timer);
    return pending;
  }

  /** As on Lambda, one event fails with an instance that cannot load its code. */
  #failFirst(pool: Pool, failure: FunctionFailure): void {
    const first = [...this.#line].find((pending) => pending.pool === pool);
    if (first) this.#leave(first).resolve(failed(failure));
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

interface PoolHost {
  readonly processFor: (plan: FunctionPlan) => FunctionProcess;
  /** An instance is ready, or has ended: with a failure if it was never ready. */
  readonly changed: (pool: Pool, failure?: FunctionFailure) => void;
}

/** The instances of one function. */
class Pool {
  #plan: FunctionPlan;
  #policy: RolePolicy;
  readonly #options: RunnerOptions;
  readonly #host: PoolHost;
  #accessKeyId = '';
  readonly #instances = new Set<Instance>();
  #code: Promise<void> | undefined;

  constructor(plan: FunctionPlan, options: RunnerOptions, host: PoolHost) {
    this.#plan = plan;
    this.#options = options;
    this.#host = host;
    this.#policy = this.#takeRole();
  }

  /** Its key is a new one: who has a former key is still held to the role that came with it. */
  #takeRole(): RolePolicy {
    const policy = new RolePolicy(this.#plan.statements);
    this.#accessKeyId = `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;
    this.#options.endpoint.addCaller(this.#accessKeyId, {
      arn: callerArn(this.#plan),
      functionName: this.#plan.name,
      policy,
    });
    return policy;
  }

  get policy(): RolePolicy {
    return this.#policy;
  }

  get identity(): FunctionIdentity {
    const { name, environment, timeoutSeconds } = this.#plan;
    return { name, environment, timeoutSeconds, accessKeyId: this.#accessKeyId };
  }

  get instances(): ReadonlySet<Instance> {
    return this.#instances;
  }

  async hasCode(): Promise<void> {
    this.#code ??= this.#options.codeOf?.(this.#plan).then((plan) => void this.renew(plan));
    await this.#code;
  }

  /** Instances of the former plan end, once they are idle. @returns false if the plan is the same */
  renew(plan: FunctionPlan): boolean {
    this.#code = Promise.resolve();
    if (isDeepStrictEqual(plan, this.#plan)) return false;
    this.#plan = plan;
    this.#policy = this.#takeRole();
    for (const instance of this.#instances) instance.endWhenIdle();
    return true;
  }

  idleInstance(): Instance | undefined {
    return [...this.#instances].find(({ isIdle }) => isIdle);
  }

  /**
   * Starts one at a time, and no more than can compute at once: others would compile their code anew, and compete for
   * the processors.
   *
   * @param arrivedAt of the first event that waits for it
   */
  startsInstance(arrivedAt: number): boolean {
    const instances = [...this.#instances];
    const maximum = Math.min(this.#plan.reservedConcurrency ?? MAXIMUM_INSTANCES, MAXIMUM_INSTANCES);
    const isPatient = performance.now() - arrivedAt < SCALE_OUT_MILLISECONDS * instances.length;
    if (instances.length >= maximum || isPatient || instances.some(({ isStarting }) => isStarting)) return false;
    if (instances.filter(({ isComputing }) => isComputing).length >= PROCESSORS) return false;
    this.#startInstance();
    return true;
  }

  #startInstance(): void {
    const process = this.#host.processFor(this.#plan);
    const instance = new Instance(this.#plan, this.#accessKeyId, process, this.#options, {
      ready: () => this.#host.changed(this),
      gone: (failure) => {
        this.#instances.delete(instance);
        this.#host.changed(this, failure);
      },
    });
    this.#instances.add(instance);
  }
}
