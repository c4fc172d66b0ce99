import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, vi } from 'vitest';
import { close, listen } from '#scripts/local/http.ts';
import type { Json } from './client.ts';

/** What a receiver does with a delivery. @param attempt counts the deliveries, from 1 */
export type Behaviour = (response: ServerResponse, attempt: number, request: IncomingMessage) => unknown;

export const answering =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = 'not for your log'): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(body);

export interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: Json;
  readonly at: number;
}

/** A receiver on this machine, which ends with its test. */
export async function givenReceiver(behaviour: Behaviour = answering(204)) {
  const deliveries: Delivery[] = [];
  let behave = behaviour;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    deliveries.push({ headers, body, event: JSON.parse(body), at: Date.now() });
    await behave(response, deliveries.length, request);
  });
  const port = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => close(server));
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    connections: () => promisify(server.getConnections.bind(server))(),
    behaveLike: (other: Behaviour) => {
      behave = other;
    },
    /** Throws for a signature that the secret has not made. */
    verify: (secret: string) => deliveries.map(({ body, headers }) => new Webhook(secret).verify(body, headers)),
    sequences: () => deliveries.map(({ event }) => event.sequence),
  };
}

/** What of attempts of this process waits so many milliseconds ends after a tenth of a second. No other timeout is shortened. */
export function shortenAttempts(waited = 15_000): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const shortened = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((milliseconds) => timeout(milliseconds === waited ? 100 : milliseconds));
  onTestFinished(() => {
    expect(shortened).toHaveBeenCalledWith(waited);
    shortened.mockRestore();
  });
}
