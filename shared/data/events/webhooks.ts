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
import { nullableTexts, texts } from '#shared/data/table/members.ts';
import type { Item } from '#shared/data/table/query.ts';
import { refusing, type TransactItem, transact, tryTransact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { type Condition, change, IS_ABSENT, put, remove, update } from '#shared/data/table/writes.ts';
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
 * whom to tell. It counts all of them, so that there are {@link MAX_WEBHOOKS} at most, whatever happens at the same
 * moment. Each write of a webhook has a new version, those of the worker too.
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

const organizationState = v.object({ status: known(ORGANIZATION_STATUSES, 'deleting') });

/** Whether an organization is there, and not being deleted. */
function isActive(organization: Item | undefined): boolean {
  const its = v.safeParse(organizationState, organization);
  return its.success && its.output.status === 'active';
}

/** @throws Problem `too_many_webhooks`; `unauthenticated` in an organization that is being deleted */
export async function insertWebhook(webhook: Webhook): Promise<void> {
  const counted = organizationChange(webhook, 'ADD webhooks :webhook, webhookCount :one', {
    ConditionExpression: '#status = :active AND (attribute_not_exists(webhookCount) OR webhookCount < :most)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':active': 'active', ':most': MAX_WEBHOOKS, ':one': 1 },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const item = put(toItem({ ...webhook, version: newVersion() }), fromItem, IS_ABSENT);
  await transact([item, refusing(counted, (met) => (isActive(met) ? tooManyWebhooks() : unauthenticated()))]);
}

/** A write of the organization beside that of one of its webhooks, which is gone before the organization is. */
function organizationChange(
  { organizationId, id }: Webhook,
  UpdateExpression: string,
  condition: Partial<Condition> = {},
): TransactItem {
  return update(organizationKey(organizationId), {
    UpdateExpression,
    ...condition,
    ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ':webhook': new Set([id]) },
  });
}

function saving<W extends Webhook>(before: StoredWebhook, after: W): { readonly saved: W & Versioned; items: Write[] } {
  const saved = { ...after, version: newVersion() };
  const item = change(toItem(before), toItem(saved), fromItem, unchangedSince(before));
  if (isDelivering(before) === isDelivering(after)) return { saved, items: [item] };
  const verb = isDelivering(after) ? 'ADD' : 'DELETE';
  return { saved, items: [item, organizationChange(after, `${verb} webhooks :webhook`)] };
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
  const counted = organizationChange(webhook, 'ADD webhookCount :less DELETE webhooks :webhook', {
    ExpressionAttributeValues: { ':less': -1 },
  });
  await transact([remove(webhookKey(organizationId, id), unchangedSince(webhook)), counted]);
}

/** Whatever is unknown gives no rights. */
const makerState = v.object({ role: known(ROLES, 'member'), status: known(USER_STATUSES, 'removed') });

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
  return {
    webhook: isActive(itemOf(keys.organization)) && item ? fromItem(item) : undefined,
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
