import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EmulatorClient } from '#scripts/local/emulator-client.ts';
import { close, listen } from '#scripts/local/http.ts';

it('hands on sixteen calls at once over few connections, and each gets its own answer', async () => {
  const sockets = new Set<unknown>();
  const emulator = createServer(async (request, response) => {
    sockets.add(request.socket);
    await sleep(5);
    request.pipe(response);
  });
  const endpoint = `http://127.0.0.1:${await listen(emulator, 0, '127.0.0.1')}`;
  const client = new EmulatorClient();
  const bodies = Array.from({ length: 16 }, (_, i) => `{"call":${i}}`);
  const answers = await Promise.all(bodies.map((body) => client.forward(endpoint, {}, Buffer.from(body))));
  client.stop();
  await close(emulator);
  expect(answers.map(({ body }) => String(body))).toEqual(bodies);
  expect(sockets.size).toBeLessThanOrEqual(6);
});
