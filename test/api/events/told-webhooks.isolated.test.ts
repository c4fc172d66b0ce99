import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { REMOTE } from '#test/search/work/vocabulary.ts';
import { given, type User } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';
import { addUser, newEmail, signIn } from '#test/support/person.ts';
import { givenReceiver } from '#test/support/receiver.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

/** Whatever leaves events tells the webhooks of the organization, requests or not: none waits for the schedule. */

const own = useOwnCloud();

const rows = [{ date: '2026-11-20', durationMinutes: 60 }];

/** Whole seconds, as the clock of events has. */
const inDays = (days: number) => new Date((Math.floor(Date.now() / 1_000) + days * 86_400) * 1_000);

/** An organization with a webhook. @returns with whether functions have told it */
async function told(values: object = {}) {
  const ana = await given.user();
  await given.connection(ana, { entries: [{}] });
  const { webhook } = await givenWebhook(values, ana);
  const tellers = new Set<string>();
  own.cloud.observe(({ service, functionName = '', requestBody }) => {
    if (service === 'sqs' && requestBody.includes(webhook.id)) tellers.add(functionName.replace('billwright-', ''));
  });
  const haveTold = (...names: string[]) =>
    expect.poll(() => names.filter((name) => tellers.has(name)), { timeout: 10_000 }).toEqual(names);
  return { ana, haveTold };
}

const confirm = (by: User) => by.post(`${REMOTE}/sync/confirm`, { rows });

it('a request tells, also one that fails, since it may have written before', async () => {
  const { ana, haveTold } = await told();
  // Whose rights were read after the webhook was made.
  const ben = await given.user({ organization: ana.organization });
  await given.product(ben);
  await haveTold('create-product');
  const lineItems = [{ name: 'Hosting', price: '1' }];
  const refused = await ben.post('/invoices', { clientId: randomUUID(), lineItems });
  expect(refused.body.code).toBe('reference_not_found');
  await haveTold('create-invoice');
});

it('an import that is confirmed reaches a receiver within seconds of its end', async () => {
  const receiver = await givenReceiver();
  const { ana, haveTold } = await told({ url: receiver.url, types: ['import.imported'] });
  expect((await confirm(ana)).status).toBe(200);
  const endedAt = Date.now();
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect((receiver.deliveries[0]?.at ?? 0) - endedAt).toBeLessThan(5_000);
  await haveTold('import-chunk');
});

it('a sync tells, and then its import', async () => {
  const { ana, haveTold } = await told();
  await ana.patch(`${REMOTE}/settings`, { syncEnabled: true, syncIntervalMinutes: 15 });
  await own.cloud.fireSchedule('sync-scheduler', inDays(1));
  await haveTold('sync-connection', 'import-chunk');
});

it('the worker of dead letters tells that it has closed an import', async () => {
  const { ana, haveTold } = await told();
  const broken = { status: 400, body: '{"__type":"ValidationException"}' };
  const end = own.cloud.intercept((call) =>
    isOf(call, 'import-chunk') && call.operation === 'TransactWriteItems' ? broken : undefined,
  );
  await confirm(ana);
  await haveTold('close-import', 'import-chunk');
  end();
});

it('the sweep tells that it has closed an import', async () => {
  const { ana, haveTold } = await told();
  const worker = own.hold('import-chunk');
  const confirmed = confirm(ana);
  await worker.reached;
  await own.cloud.fireSchedule('sweep-imports', inDays(2));
  await haveTold('sweep-imports');
  worker.release();
  await confirmed;
});

it('a person who is linked by signing in tells, whatever is asked for, and so does an invitation', async () => {
  const { ana, haveTold } = await told();
  const email = newEmail();
  await addUser(ana.organization, email);
  const person = signIn(email).in(ana.organization.id);
  expect((await person.get('/nowhere')).status).toBe(404);
  expect((await person.get('/products', { limit: -1 })).status).toBe(422);
  expect((await person.get('/products')).status).toBe(200);
  await haveTold('list-products');
  const { id } = await given.colleague(ana);
  const { code } = (await ana.post(`/v1/users/${id}/invitations`)).body.data;
  expect((await signIn(newEmail()).post('/v1/me/link', { code })).status).toBe(200);
  await haveTold('link-me');
});

it('a change of a webhook wakes it alone, and where events begin to be sent until every function knows it', async () => {
  const sent: string[] = [];
  own.cloud.observe((call) => {
    if (call.service === 'sqs' && (isOf(call, 'create-webhook') || isOf(call, 'update-webhook')))
      sent.push(call.requestBody);
  });
  const { ana, path, webhook } = await givenWebhook();
  const looksOn = () => {
    const bodies = sent.splice(0);
    expect(bodies.every((body) => body.includes(webhook.id))).toBe(true);
    const messages = bodies
      .flatMap((body) => JSON.parse(body).Entries)
      .map(({ MessageBody }) => JSON.parse(MessageBody));
    return messages.map(({ from, until = from }) => until - from);
  };
  const looksOnAfter = async (changes: object) => {
    expect((await ana.patch(path, changes)).status).toBe(200);
    return looksOn();
  };
  expect(looksOn()).toEqual([12_000]);
  expect(await looksOnAfter({ url: webhook.url, status: 'active', after: webhook.after })).toEqual([]);
  expect(await looksOnAfter({ types: ['client.*'] })).toEqual([0]);
  expect(await looksOnAfter({ status: 'paused' })).toEqual([]);
  expect(await looksOnAfter({ status: 'active' })).toEqual([12_000]);
});
