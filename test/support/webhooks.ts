import * as v from 'valibot';
import { readWebhooks } from '#shared/data/events/webhooks.ts';
import { organizationKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Json } from './client.ts';
import { given, type User } from './given.ts';

export interface GivenWebhook {
  readonly ana: User;
  /** With its secret. */
  readonly webhook: Json;
  readonly path: string;
  /** As it is by now. */
  readonly now: () => Promise<Json>;
}

export async function givenWebhook(values: object = {}, by?: User): Promise<GivenWebhook> {
  const ana = by ?? (await given.user());
  const { status, body } = await ana.post('/v1/webhooks', { url: 'https://hooks.example.com/billwright', ...values });
  if (status !== 201) throw new Error(`Could not set the scene: ${status} ${JSON.stringify(body)}`);
  const path = `/v1/webhooks/${body.data.id}`;
  return { ana, webhook: body.data, path, now: async () => (await ana.get(path)).body.data };
}

const counting = v.object({ webhookCount: v.optional(v.number(), 0) });

/** How many webhooks an organization counts, and how many it has. */
export async function webhookCounts(
  organizationId: string,
): Promise<{ readonly counted: number; readonly there: number }> {
  const { webhookCount } = v.parse(counting, await readItem(organizationKey(organizationId)));
  return { counted: webhookCount, there: (await readWebhooks(organizationId)).length };
}
