import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { Client } from '#test/support/client.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';

/** One instance, which lives on. */
const own = useOwnCloud({ instances: true, endsInstance: () => false });

const REFUSED = {
  status: 400,
  body: JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', message: 'no' }),
};

/** Lets the table answer, or refuse. @returns the calls of the function so far */
function watchTable(answers: () => boolean): string[] {
  const calls: string[] = [];
  const end = own.cloud.intercept((call) => {
    if (!isOf(call, 'get-health')) return undefined;
    calls.push(call.operation);
    return answers() ? undefined : REFUSED;
  });
  onTestFinished(end);
  return calls;
}

const ask = (path: string) => new Client().get(path);

beforeEach(() => own.cloud.endInstances('get-health'));

it('does not read without being asked to', async () => {
  const calls = watchTable(() => false);
  expect((await ask('/health')).status).toBe(200);
  expect((await ask('/health?deep=false')).status).toBe(200);
  expect(calls).toEqual([]);
});

it('says that a table does not answer, and that it answers again after some seconds', async () => {
  let answers = false;
  const calls = watchTable(() => answers);
  const { status, body } = await ask('/health?deep=true');
  expect([status, body.code]).toEqual([503, 'temporarily_unavailable']);
  answers = true;
  expect((await ask('/health?deep=true')).status).toBe(503);
  await sleep(5_100);
  expect((await ask('/health?deep=true')).status).toBe(200);
  expect(calls).toEqual(['GetItem', 'GetItem']);
});

it('reads once in five seconds, however often strangers ask', async () => {
  const calls = watchTable(() => true);
  for (let asked = 0; asked < 50; asked++) expect((await ask('/health?deep=true')).status).toBe(200);
  expect(calls).toEqual(['GetItem']);
});
