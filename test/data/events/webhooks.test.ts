import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { expect, it } from 'vitest';
import { insertWebhook, readWebhooks } from '#shared/data/events/webhooks.ts';
import { newWebhook } from '#shared/domain/events/webhook.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';

it('are ten and no more, though one is made while another looks for room', async () => {
  const { organization, userId } = await given.user();
  const maker = { userId, keyId: null, scopes: SCOPES };
  const insert = () => {
    const made = { id: uuidV7(), organizationId: organization.id, maker, secrets: [], after: 0 };
    return insertWebhook(newWebhook({ url: 'https://hooks.example.com/' }, made, new Date()));
  };
  for (let made = 0; made < 9; made++) await insert();
  beforeCalls((command) => command instanceof GetCommand, [insert]);
  await expect(insert()).rejects.toMatchObject({ code: 'too_many_webhooks' });
  expect(await readWebhooks(organization.id)).toHaveLength(10);
});
