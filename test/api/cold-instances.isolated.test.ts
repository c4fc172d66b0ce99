import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WARM_UP } from '#infra/functions.ts';
import type { Call } from '#scripts/local/aws-endpoint.ts';
import { type Endpoint, kebabCase, matchedSchema, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { Client, type Json, type Reply, type Sending } from '#test/support/client.ts';
import { bill, requests, type Scene, scene } from '#test/support/linked-requests.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';
import { pathTo, tagFor } from '#test/support/resources.ts';

/**
 * An instance that has just started holds nothing yet: neither the key of a caller nor the directory. It reads more than
 * any other, and its role must allow that too. So each operation is called on such an instance, with all headers that
 * make it do more, about objects that have every link. All else runs in the test's process.
 */

/** No instance ends by chance: what one keeps is what is tried here. */
const own = useOwnCloud({ endsInstance: () => false });

const REFUSED = {
  status: 400,
  body: JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', message: 'no' }),
};

/** Sends a request to an instance that starts for it, and then once more if it is to be answered again. */
function cold({ operationId, method }: Endpoint, apiKey: string, path: string, sending: Sending) {
  const caller = new Client(apiKey, own.cloud.url);
  const send = () => caller.send(method, path, sending);
  return {
    first: async () => {
      await own.cloud.endInstances(kebabCase(operationId));
      return send();
    },
    again: send,
  };
}

const problemOf = ({ status, body }: Reply): Json => (status < 400 ? undefined : body);

describe('an instance that has just started', () => {
  it.each(requests(() => true))('does all that a request may ask for: $title', async ({ endpoint, prepare }) => {
    const { credential, path, asked } = await prepare();
    const isNamed = takesIdempotencyKey(endpoint);
    const headers = {
      ...(matchedSchema(endpoint) && { 'if-match': await tagFor(endpoint, path, new Client(credential)) }),
      ...(isNamed && { 'idempotency-key': randomUUID() }),
    };
    const request = cold(endpoint, credential, path, { ...asked, headers: { ...asked.headers, ...headers } });
    const first = await request.first();
    expect(problemOf(first)).toBeUndefined();
    if (!isNamed) return;
    const again = await request.again();
    expect(again).toMatchObject({ status: first.status, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

const askedForLayout = (call: Call) => isOf(call, 'get-me') && call.requestBody.includes('LAYOUT');

describe('an instance that starts', () => {
  it('opens its connection and checks the layout before its first request', async () => {
    const { ana } = await scene('keys');
    await own.cloud.endInstances('get-me');
    const requestIds: (string | undefined)[] = [];
    const end = own.cloud.observe((call) => {
      if (askedForLayout(call)) requestIds.push(call.requestId);
    });
    expect((await new Client(ana.apiKey, own.cloud.url).get('/v1/me')).status).toBe(200);
    end();
    expect(requestIds).toEqual([undefined]);
  });

  it('serves its first request, though it could not', async () => {
    const { ana } = await scene('keys');
    await own.cloud.endInstances('get-me');
    const requestIds: (string | undefined)[] = [];
    const end = own.cloud.intercept((call) => {
      if (!askedForLayout(call)) return undefined;
      requestIds.push(call.requestId);
      return call.requestId === undefined ? REFUSED : undefined;
    });
    expect((await new Client(ana.apiKey, own.cloud.url).get('/v1/me')).status).toBe(200);
    end();
    expect(requestIds).toEqual([undefined, expect.any(String)]);
  });
});

describe('an instance that is kept warm', () => {
  it('answers at once: it asks nothing after its start, and logs nothing', async () => {
    const { ana } = await scene('keys');
    await own.cloud.endInstances('get-me');
    const calls: Call[] = [];
    const lines: unknown[] = [];
    // The workers may still have to do what the tests before have left.
    const ends = [
      own.cloud.observe((call) => isOf(call, 'get-me') && calls.push(call)),
      own.cloud.logs.subscribe((line) => isOf(line, 'get-me') && lines.push(line)),
    ];
    const answers = [await own.cloud.invoke('get-me', WARM_UP), await own.cloud.invoke('get-me', WARM_UP)];
    expect(answers).toEqual([{ payload: 'null' }, { payload: 'null' }]);
    expect(calls.map(({ requestId }) => requestId)).toEqual([undefined]);
    expect(lines).toEqual([]);
    await new Client(ana.apiKey, own.cloud.url).get('/v1/me');
    for (const end of ends) end();
    expect(calls.filter(askedForLayout)).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain('operationId');
  });

  it('takes a request for one, whatever it sends', async () => {
    const { ana } = await scene('keys');
    const headers = { authorization: `Bearer ${ana.apiKey}`, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(WARM_UP) };
    expect((await fetch(`${own.cloud.url}/products`, sent)).status).toBe(422);
  });
});

describe('an instance that has just started, about an entry', () => {
  const ofEntries = routes.filter(({ path }) => path === '/v1/work/tracker/entries/{id}');
  const cases = ofEntries.flatMap((endpoint) =>
    [true, false].map((isMatched) => ({
      title: `${endpoint.method}${isMatched ? ' with If-Match' : ''}`,
      endpoint,
      isMatched,
    })),
  );

  async function answer(endpoint: Endpoint, all: Scene, isMatched: boolean): Promise<Reply> {
    const path = pathTo(endpoint.path, all.entryId);
    const headers = isMatched ? { 'if-match': await tagFor(endpoint, path, all.ana) } : undefined;
    return cold(endpoint, all.ana.apiKey, path, { body: endpoint.example.body, headers }).first();
  }

  it.each(cases)('on an invoice, answers what the contract says: $title', async ({ endpoint, isMatched }) => {
    const all = await scene('invoices');
    await bill(all);
    const { status, body } = await answer(endpoint, all, isMatched);
    expect({ status, code: body.code }).toEqual(
      endpoint.method === 'GET' ? { status: 200 } : { status: 409, code: 'entry_invoiced' },
    );
  });

  it.each(cases)('whose links are gone, answers as about any other: $title', async ({ endpoint, isMatched }) => {
    const all = await scene('tracker');
    await all.ana.delete(`/v1/work/tracker/projects/${all.projectId}`);
    await all.ana.delete(`/clients/${all.clientId}`);
    expect(problemOf(await answer(endpoint, all, isMatched))).toBeUndefined();
  });
});
