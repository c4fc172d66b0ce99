import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, connect as openSocket } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '#scripts/local/http.ts';
import { guides } from '#shared/openapi/guides.ts';
import { inTemporaryFolder } from '#test/infra/sample.ts';

const programs = guides.find(({ title }) => title === 'Webhooks')?.steps.flatMap(({ program }) => program ?? []) ?? [];

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0, '127.0.0.1');
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Breaks off in the middle of a request. */
async function breakOff(port: number): Promise<void> {
  const socket = openSocket(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 100\r\n\r\n{', () => socket.destroy());
  await new Promise((resolve) => socket.once('close', resolve));
}

it('the receiver that the guide prints takes each of our events once, and outlives what others send', async () => {
  const [program = ''] = programs;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const port = await freePort();
  let printed = '';
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'receiver.ts');
    await writeFile(file, program);
    const receiver = spawn(process.execPath, [file], { env: { WEBHOOK_SECRET: secret, PORT: String(port) } });
    onTestFinished(() => {
      receiver.kill();
    });
    for (const output of [receiver.stdout, receiver.stderr]) output.on('data', (chunk) => (printed += chunk));
    const send = async (id: string, at = new Date(), sentBody?: string) => {
      const body = JSON.stringify({ type: 'client.created', data: { object: { id } } });
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': `v1,of-another-secret ${new Webhook(secret).sign(id, at, body)}`,
      };
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: sentBody ?? body })).status;
    };
    const [first, second] = [randomUUID(), randomUUID()];
    await vi.waitUntil(() => send(first).catch(() => false), { timeout: 10_000 });
    await breakOff(port);
    const tenMinutesAgo = new Date(Date.now() - 600_000);
    expect(await Promise.all([send(first), send('forged', new Date(), '{}'), send('old', tenMinutesAgo)])).toEqual([
      204, 401, 401,
    ]);
    expect((await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(await send(second)).toBe(204);
    await expect.poll(() => printed).toBe(`client.created ${first}\nclient.created ${second}\n`);
  });
});
