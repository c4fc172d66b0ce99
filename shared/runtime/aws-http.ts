import { NodeHttpHandler } from '@smithy/node-http-handler';
import { DeadlineExceeded, millisecondsLeft } from './deadline.ts';

const CONNECTION_MILLISECONDS = 1_000;

/** A call with less time could still run after its caller was told that it failed. */
const MINIMUM_MILLISECONDS = 500;

type Handle = NodeHttpHandler['handle'];

/** No attempt exceeds its own limit, and none begins or is awaited beyond the deadline. */
export class AwsHttp extends NodeHttpHandler {
  readonly #attemptMilliseconds: number;

  /** Otherwise the SDK only warns of a late answer. */
  constructor(attemptMilliseconds: number) {
    super({ connectionTimeout: CONNECTION_MILLISECONDS, throwOnRequestTimeout: true });
    this.#attemptMilliseconds = attemptMilliseconds;
  }

  override async handle(request: Parameters<Handle>[0], options: Parameters<Handle>[1]): ReturnType<Handle> {
    const left = millisecondsLeft();
    if (left < MINIMUM_MILLISECONDS) throw new DeadlineExceeded();
    return super.handle(request, { ...options, requestTimeout: Math.min(this.#attemptMilliseconds, left) });
  }
}
