import { createServer } from 'node:http';
import { close, listen } from '#scripts/local/http.ts';
import { demoEntries } from './demo-entries.ts';
import { accountIdOf, answerHarvest, type HarvestAccount } from './harvest-protocol.ts';

/** Speaks the protocol of the real provider on the loopback interface. */

export const DEMO_CREDENTIAL = { accountId: '1000001', accessToken: 'demo-access-token' };

export interface DemoProvider {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startDemoProvider(): Promise<DemoProvider> {
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', `http://127.0.0.1:${request.socket.localPort}`);
    if (!url) {
      response.writeHead(400).end();
      return;
    }
    const asked = { url, headers: request.headers };
    const isDemo = accountIdOf(asked) === DEMO_CREDENTIAL.accountId;
    const { status, body } = answerHarvest(isDemo ? demoAccount(new Date()) : undefined, asked);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  });
  const port = await listen(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}`, stop: () => close(server) };
}

function demoAccount(now: Date): HarvestAccount {
  return {
    ...DEMO_CREDENTIAL,
    companyName: 'Demo Studio',
    accessRoles: ['administrator'],
    entries: demoEntries(now),
    paging: 'cursors',
  };
}
