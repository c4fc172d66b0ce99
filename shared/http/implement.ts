import { type GuardedEndpoint, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { recordAll } from '#shared/data/events/outbox.ts';
import { prepareTable } from '#shared/data/table/database.ts';
import { tellWebhooks } from '#shared/queue/tell-webhooks.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import { idempotency } from './idempotency.ts';
import {
  endpointStack,
  type Handling,
  type HttpHandler,
  type Run,
  type Weighable,
  type WeighedResource,
} from './stack.ts';

/** With `load`, the object that the path names is read before the body is checked, and `run` gets it as `resource`. */
export function implement<const E extends GuardedEndpoint>(
  endpoint: E & Weighable<E, undefined>,
  run: Run<E, undefined>,
): HttpHandler;
export function implement<const E extends GuardedEndpoint, Resource extends WeighedResource<E> & object>(
  endpoint: E & Weighable<E, never>,
  handling: Required<Pick<Handling<E, Resource>, 'load'>> & Handling<E, Resource>,
): HttpHandler;
export function implement<E extends GuardedEndpoint, Resource extends object | undefined>(
  endpoint: E,
  handling: Run<E, Resource> | Handling<E, Resource>,
): HttpHandler {
  const authenticates = [authentication(endpoint), authorization(endpoint)];
  const given: Handling<E, Resource> = typeof handling === 'function' ? { run: handling } : handling;
  const guard = {
    authenticates,
    recordAll,
    ...(takesIdempotencyKey(endpoint) && { idempotency: idempotency(endpoint, given.omission) }),
    ...(endpoint.events && { tellWebhooks }),
  };
  return Object.assign(endpointStack(endpoint, given, guard), { prepare: prepareTable });
}
