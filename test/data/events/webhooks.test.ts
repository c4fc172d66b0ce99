import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { insertWebhook, readStanding, readWebhook, removeWebhook, saveWebhook } from '#shared/data/events/webhooks.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import { newWebhook } from '#shared/domain/events/webhook.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { costOf } from '#test/support/capacity.ts';
import { deleteOrganization } from '#test/support/deletions.ts';
import { given } from '#test/support/given.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';
import { webhookCounts } from '#test/support/webhooks.ts';

/** An organization with so many webhooks. */
async function scene(webhooks: number) {
  const ana = await given.user();
  const { id: organizationId } = ana.organization;
  const maker = { userId: ana.userId, keyId: null, scopes: SCOPES };
  const insert = async () => {
    const made = { id: uuidV7(), organizationId, maker, secrets: [], after: 0 };
    const webhook = newWebhook({ url: 'https://hooks.example.com/' }, made, new Date());
    await insertWebhook(webhook);
    return webhook.id;
  };
  const read = (id: string) => readWebhook(organizationId, id);
  const pause = async (id: string) => {
    const webhook = await read(id);
    await saveWebhook(webhook, { ...webhook, status: 'paused' });
  };
  const ids: string[] = [];
  while (ids.length < webhooks) ids.push(await insert());
  return { ana, ids, insert, pause, read, counts: () => webhookCounts(organizationId) };
}

const tooMany = expect.objectContaining({ code: 'too_many_webhooks' });

describe('the webhooks of an organization', () => {
  it('are ten and no more, though another is made and paused while one is being made', async () => {
    const { insert, pause, counts } = await scene(9);
    beforeTransaction(async () => pause(await insert()));
    await expect(insert()).rejects.toEqual(tooMany);
    expect(await counts()).toEqual({ counted: 10, there: 10 });
  });

  it('are one less when two end the same one at once', async () => {
    const { ids, read, counts } = await scene(2);
    const webhook = await read(ids[0] ?? '');
    beforeTransaction(() => removeWebhook(webhook));
    await expect(removeWebhook(webhook)).rejects.toThrow(ConditionFailed);
    expect(await counts()).toEqual({ counted: 1, there: 1 });
  });

  it('are as many when one has changed since it was read that was to end', async () => {
    const { ids, pause, read, counts } = await scene(1);
    const webhook = await read(ids[0] ?? '');
    beforeTransaction(() => pause(webhook.id));
    await expect(removeWebhook(webhook)).rejects.toThrow(ConditionFailed);
    expect(await counts()).toEqual({ counted: 1, there: 1 });
  });

  it('are one more when the same one is made twice', async () => {
    const { ids, read, counts } = await scene(1);
    await expect(insertWebhook(await read(ids[0] ?? ''))).rejects.toThrow(ConditionFailed);
    expect(await counts()).toEqual({ counted: 1, there: 1 });
  });

  it('are no more once the organization is being deleted', async () => {
    const { ana, insert, counts } = await scene(1);
    beforeTransaction(() => deleteOrganization(ana));
    await expect(insert()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await counts()).toEqual({ counted: 1, there: 1 });
  });
});

it('what a delivery depends on is read at once, with the roster where its maker had a key', async () => {
  const { ana, ids, read } = await scene(1);
  const webhook = await read(ids[0] ?? '');
  for (const [keyId, calls] of [[null, 1] as const, [ana.keyId, 2] as const]) {
    const made = { ...webhook, maker: { ...webhook.maker, keyId } };
    const cost = await costOf(async () => expect(await readStanding(made, new Date())).toMatchObject({ hasKey: true }));
    expect(cost).toMatchObject({ calls, roundTrips: 1 });
  }
});
