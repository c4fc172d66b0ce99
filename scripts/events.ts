import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { createWebhook } from '#shared/contract/events/create-webhook.ts';
import { runCommand, UsageError, wordsOf } from './command-line.ts';

/** `npm run events -- listen`: prints the deliveries of a webhook of its own, which ends with it, and verifies them. */

const USAGE = 'Usage: KEY=bw_... npm run events -- listen [--types TYPE,TYPE] [--count NUMBER, after which it ends]';

const { PORT = '3000', KEY } = process.env;

const reply = v.object({
  data: v.optional(v.object({ id: v.string(), secret: v.optional(v.string(), '') })),
  detail: v.optional(v.string()),
});

async function call(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answer = await fetch(`http://localhost:${PORT}${path}`, { method, headers, body: JSON.stringify(body) });
  const { data, detail } = v.parse(reply, await answer.json());
  if (!answer.ok) throw new Error(detail);
  return data;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

async function listen(types: string | undefined, count: number): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let secret = '';
  let left = count;
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const { sequence, type, data } = JSON.parse(body);
    const verdict = isSigned(request, body, secret) ? 'verified' : 'NOT SIGNED BY US';
    console.log(sequence, type, JSON.stringify(data.object), verdict);
    response.writeHead(204).end();
    if (--left === 0) end();
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => {
      console.error('Somebody has sent what is no event.');
      response.writeHead(400).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  try {
    const wishes = { url, types: types?.split(','), description: 'npm run events' };
    const webhook = await call('POST', createWebhook.path, wishes);
    if (!webhook) throw new Error('The service has made no webhook.');
    secret = webhook.secret;
    console.error(`Listening at ${url}.`);
    await ended;
    await call('DELETE', `${createWebhook.path}/${webhook.id}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

await runCommand(USAGE, async () => {
  const options = { types: { type: 'string' }, count: { type: 'string' } } as const;
  const { positionals, values } = wordsOf({ allowPositionals: true, options });
  if (positionals.join() !== 'listen' || !KEY) throw new UsageError('It listens, with a KEY that may write webhooks.');
  const count = Number(values.count ?? Number.POSITIVE_INFINITY);
  if (!(count >= 1)) throw new UsageError('--count: a number from 1 on.');
  await listen(values.types, count);
});
