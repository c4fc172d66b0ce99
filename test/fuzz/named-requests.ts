import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import type { Client, Reply } from '#test/support/client.ts';

/** Requests with an `Idempotency-Key`. */

/** What a POST with an `Idempotency-Key` is sent to, as patterns. */
const NAMED = routes.filter(takesIdempotencyKey).map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/, '[^/]+')}$`));

/** How often a request is sent again under its name before it counts as lost. */
const NAMED_ATTEMPTS = 3;

export const takesName = (method: string, path: string) => method === 'POST' && NAMED.some((each) => each.test(path));

/** Whether a request may have been done or not. */
const isOpen = ({ status, body }: Reply) => status >= 500 || body.code === 'idempotency_in_progress';

const said = ({ body }: Reply) => ({ ...body, requestId: undefined });

/** The user, as far as it matters here. */
interface Namer {
  random(): number;
  newText(kind: string): string;
  blame(fault: string | undefined): void;
}

/**
 * Sends a request under a name, and again when its answer is lost; now and then once more, which only repeats the
 * answer.
 */
export async function sendNamed(user: Namer, client: Client, path: string, body: unknown): Promise<Reply> {
  const headers = { 'idempotency-key': user.newText('request') };
  const attempt = () => client.send('POST', path, { body, headers });
  let reply = await attempt();
  for (let count = 1; count < NAMED_ATTEMPTS && isOpen(reply); count++) {
    await sleep(Number(reply.headers.get('retry-after') ?? 0) * 1_000);
    reply = await attempt();
  }
  if (isOpen(reply)) return { ...reply, status: 503 };
  if (user.random() < 0.3) {
    const again = await attempt();
    const isSame = again.status === reply.status && isDeepStrictEqual(said(again), said(reply));
    if (again.status < 500 && !isSame) user.blame(`${path} was answered ${reply.status}, and then ${again.status}`);
  }
  return reply;
}
