import * as v from 'valibot';
import { organizationKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { textSet } from '#shared/data/table/members.ts';

const naming = v.optional(v.object({ webhooks: textSet }));

/** Those that events are sent to: none if there is no such organization. */
export async function readToldWebhooks(organizationId: string): Promise<readonly string[]> {
  return v.parse(naming, await readItem(organizationKey(organizationId)))?.webhooks ?? [];
}
