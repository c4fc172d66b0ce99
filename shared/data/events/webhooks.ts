import * as v from 'valibot';
import { readRoster } from '#shared/data/keys/roster.ts';
import {
  dueObjectOf,
  dueWebhookPartitions,
  organizationKey,
  userKey,
  webhookDueKey,
  webhookKey,
  webhookPartition,
} from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readDue } from '#shared/data/table/due.ts';
import { readItem } from '#shared/data/table/item.ts';
import { known, knownAmong } from '#shared/data/table/known.ts';
import { nullableTexts, textSet, texts } from '#shared/data/table/members.ts';
import type { Item } from '#shared/data/table/query.ts';
import { type TransactItem, transact, tryTransact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { type Condition, change, put, remove, update } from '#shared/data/table/writes.ts';
import {
  DELIVERY_FAILURES,
  isDelivering,
  MAX_WEBHOOKS,
  type MakerState,
  tooManyWebhooks,
  WEBHOOK_STATUSES,
  type Webhook,
} from '#shared/domain/events/webhook.ts';
import { livingAt } from '#shared/domain/keys/roster.ts';
import { ANY_SCOPES } from '#shared/domain/keys/scopes.ts';
import { ORGANIZATION_STATUSES } from '#shared/domain/organization/deletion.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';
import { notFound, unauthenticated } from '#shared/domain/problems.ts';
import { ROLES } from '#shared/domain/role.ts';

/**
 * The organization names its webhooks that events are sent to: whoever acts for it has read it, and so knows at no cost
 * whom to tell. Each write of a webhook has a new version, those of the worker too.
 */

const stored = v.object({
  ...texts('id', 'organizationId', 'url', 'description', 'dueAt', 'createdAt', 'updatedAt'),
  types: v.array(v.string()),
  /** Nothing is sent to one whose status is unknown. */
  status: known(WEBHOOK_STATUSES, 'paused'),
  maker: v.object({ userId: v.string(), keyId: v.nullable(v.string()), scopes: knownAmong(ANY_SCOPES) }),
  secrets: v.array(v.object({ encrypted: v.string(), endsAt: v.nullable(v.string()) })),
  after: v.number(),
  failures: v.number(),
  ...nullableTexts('lastSuccessAt', 'lastFailureAt', 'nextAttemptAt'),
  lastFailure: v.nullable(known(DELIVERY_FAILURES, null)),
  version: v.number(),
});

export type StoredWebhook = Webhook & Versioned;

const fromItem = (item: Item): StoredWebhook => v.parse(stored, item);

function toItem(webhook: StoredWebhook) {
  const { organizationId, id, dueAt } = webhook;
  return {
    ...webhookKey(organizationId, id),
    ...v.parse(stored, webhook),
    ...webhookDueKey(organizationId, id, dueAt),
  };
}

export async function findWebhook(organizationId: string, id: string): Promise<StoredWebhook | undefined> {
  const item = await readItem(webhookKey(organizationId, id));
  return item && fromItem(item);
}

/** @throws Problem `not_found` */
export async function readWebhook(organizationId: string, id: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(organizationId, id);
  if (!webhook) throw notFound();
  return webhook;
}

/** At most {@link MAX_WEBHOOKS}, newest first. */
export async function readWebhooks(organizationId: string): Promise<StoredWebhook[]> {
  return (await readCollection({ partition: webhookPartition(organizationId) })).map(fromItem);
}

/** What another request may add to meanwhile. What it had added before is in the list, which so has to be read later. */
async function readRoom(organizationId: string): Promise<string[]> {
  const item = await readItem(organizationKey(organizationId));
  if (!item) throw unauthenticated();
  const webhooks = await readWebhooks(organizationId);
  if (webhooks.length >= MAX_WEBHOOKS) throw tooManyWebhooks();
  return v.parse(textSet, item.webhooks);
}

/** @throws Problem `too_many_webhooks`; ConditionFailed if another webhook was made or ended meanwhile */
export async function insertWebhook(webhook: Webhook): Promise<void> {
  const { organizationId } = webhook;
  const read = await readRoom(organizationId);
  const unchanged: Condition =
    read.length === 0
      ? { ConditionExpression: '#status = :active AND attribute_not_exists(webhooks)' }
      : {
          ConditionExpression: '#status = :active AND webhooks = :read',
          ExpressionAttributeValues: { ':read': new Set(read) },
        };
  await transact([
    put(toItem({ ...webhook, version: newVersion() }), fromItem),
    naming(webhook, 'ADD', {
      ...unchanged,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ...unchanged.ExpressionAttributeValues, ':active': 'active' },
    }),
  ]);
}

function naming(
  { organizationId, id }: Webhook,
  verb: 'ADD' | 'DELETE',
  condition: Condition = { ConditionExpression: 'attribute_exists(pk)' },
): TransactItem {
  return update(organizationKey(organizationId), {
    UpdateExpression: `${verb} webhooks :webhook`,
    ...condition,
    ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ':webhook': new Set([id]) },
  });
}

function saving<W extends Webhook>(before: StoredWebhook, after: W): { readonly saved: W & Versioned; items: Write[] } {
  const saved = { ...after, version: newVersion() };
  const item = change(toItem(before), toItem(saved), fromItem, unchangedSince(before));
  if (isDelivering(before) === isDelivering(after)) return { saved, items: [item] };
  return { saved, items: [item, naming(after, isDelivering(after) ? 'ADD' : 'DELETE')] };
}

/** @throws ConditionFailed */
export async function saveWebhook(before: StoredWebhook, after: Webhook): Promise<void> {
  if (after !== before) await transact(saving(before, after).items);
}

/** @returns undefined if somebody else has changed it meanwhile */
export async function trySaveWebhook(
  before: StoredWebhook,
  changes: Partial<Webhook>,
): Promise<StoredWebhook | undefined> {
  const { saved, items } = saving(before, { ...before, ...changes });
  return (await tryTransact(items)) ? saved : undefined;
}

/** @throws ConditionFailed */
export async function removeWebhook(webhook: StoredWebhook): Promise<void> {
  const { organizationId, id } = webhook;
  await transact([remove(webhookKey(organizationId, id), unchangedSince(webhook)), naming(webhook, 'DELETE')]);
}

/** Whatever is unknown gives no rights. */
const makerState = v.object({ role: known(ROLES, 'member'), status: known(USER_STATUSES, 'removed') });

const organizationState = v.object({ status: known(ORGANIZATION_STATUSES, 'deleting') });

export interface Standing extends MakerState {
  /** As it is by now; undefined if it was deleted, or its organization is being deleted. */
  readonly webhook: StoredWebhook | undefined;
}

/** What a delivery depends on. */
export async function readStanding({ organizationId, id, maker }: Webhook, now: Date): Promise<Standing> {
  const keys = {
    webhook: webhookKey(organizationId, id),
    user: userKey(organizationId, maker.userId),
    organization: organizationKey(organizationId),
  };
  const [itemOf, roster] = await Promise.all([
    readItems(Object.values(keys)),
    maker.keyId === null ? [] : readRoster(organizationId),
  ]);
  const item = itemOf(keys.webhook);
  const user = v.safeParse(makerState, itemOf(keys.user));
  const organization = v.safeParse(organizationState, itemOf(keys.organization));
  const isThere = organization.success && organization.output.status === 'active';
  return {
    webhook: isThere && item ? fromItem(item) : undefined,
    role: user.success && user.output.status === 'active' ? user.output.role : null,
    hasKey: maker.keyId === null || livingAt(roster, now).some(({ id: living }) => living === maker.keyId),
  };
}

/** The index may be a moment behind. @param since leaves out those that were due before */
export async function listDueWebhooks(
  now: Date,
  since?: Date,
): Promise<{ readonly organizationId: string; readonly id: string }[]> {
  return (await readDue(dueWebhookPartitions, now, since)).map(dueObjectOf);
}
