import * as v from 'valibot';
import { organizationKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { textSet } from '#shared/data/table/members.ts';

/** Those that events are sent to. @returns undefined if there is no such organization */
const naming = v.optional(v.object({ webhooks: textSet }));

export async function readToldWebhooks(organizationId: string): Promise<readonly string[]> {
  return v.parse(naming, await readItem(organizationKey(organizationId)))?.webhooks ?? [];
}
