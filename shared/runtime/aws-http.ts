import { NodeHttpHandler } from '@smithy/node-http-handler';
import { DeadlineExceeded, millisecondsLeft } from './deadline.ts';

const CONNECTION_MILLISECONDS = 1_000;

/** What a call must have left, so that nothing which has begun is under way when its caller is told that it failed. */
const MINIMUM_MILLISECONDS = 500;

type Handle = NodeHttpHandler['handle'];

/** HTTP for the clients of AWS: no attempt takes longer than it may, or is begun or waited for beyond the deadline. */
export class AwsHttp extends NodeHttpHandler {
  readonly #attemptMilliseconds: number;

  /** By itself the SDK would only warn of a late answer. */
  constructor(attemptMilliseconds: number) {
    super({ connectionTimeout: CONNECTION_MILLISECONDS, throwOnRequestTimeout: true });
    this.#attemptMilliseconds = attemptMilliseconds;
  }

  /** @throws DeadlineExceeded */
  override async handle(request: Parameters<Handle>[0], options: Parameters<Handle>[1]): ReturnType<Handle> {
    const left = millisecondsLeft();
    if (left < MINIMUM_MILLISECONDS) throw new DeadlineExceeded();
    return super.handle(request, { ...options, requestTimeout: Math.min(this.#attemptMilliseconds, left) });
  }
}
