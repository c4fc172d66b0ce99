import { assertScope } from '#shared/domain/keys/api-key.ts';
import type { AnyScope } from '#shared/domain/keys/scopes.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { revised } from '#shared/domain/revised.ts';
import type { Role } from '#shared/domain/role.ts';
import { assertMayRead, EVENT_FAMILIES, type EventCounts, isWanted, mayRead, type NumberedEvent } from './event.ts';
import { EVENT_TYPES } from './event-types.ts';
import type { WebhookSecret } from './signature.ts';

/** `failing` waits for its next attempt. `disabled` has given up; `paused` has lost its rights, or somebody wants it so. */
export const WEBHOOK_STATUSES = ['active', 'failing', 'paused', 'disabled'] as const;

export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Of what a receiver answers, nothing else is kept. */
export const DELIVERY_FAILURES = [
  'dns',
  'refused_address',
  'connect',
  'tls',
  'timeout',
  'http_3xx',
  'http_4xx',
  'http_5xx',
  'gone',
] as const;

export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

export const MAX_WEBHOOKS = 10;

/** Beyond it, events that are not delivered yet are not counted. */
export const MAX_BEHIND = 1_000;

/** Whose rights each delivery needs. */
export interface WebhookMaker {
  readonly userId: string;
  /** Null for a person who had signed in. */
  readonly keyId: string | null;
  /** What it held when it made the webhook. */
  readonly scopes: readonly AnyScope[];
}

export interface Webhook {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  /** Types of events, and families of them. */
  readonly types: readonly string[];
  readonly description: string;
  readonly status: WebhookStatus;
  readonly maker: WebhookMaker;
  readonly secrets: readonly WebhookSecret[];
  /** The last number of the feed that needs no delivery any more. */
  readonly after: number;
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  readonly lastFailure: DeliveryFailure | null;
  /** Attempts that have failed since the last success. */
  readonly failures: number;
  readonly nextAttemptAt: string | null;
  /** From then on, a schedule looks after it. An active one is always due, so each run of five minutes wakes it. */
  readonly dueAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface WebhookDraft {
  readonly url: string;
  readonly types?: readonly string[];
  readonly description?: string;
}

type Made = Pick<Webhook, 'id' | 'organizationId' | 'maker' | 'secrets' | 'after'>;

/** @throws Problem `validation_failed` for a type that its maker may not read */
export function newWebhook({ url, types, description = '' }: WebhookDraft, made: Made, now: Date): Webhook {
  const wanted = types ?? readableFamilies(made.maker.scopes);
  assertReadable(wanted, made.maker);
  const times = { createdAt: now.toISOString(), updatedAt: now.toISOString() };
  const nothing = { lastSuccessAt: null, lastFailureAt: null, lastFailure: null };
  return { ...made, url, types: wanted, description, ...nothing, ...settled('active', now), ...times };
}

/** All families that some scopes read. */
function readableFamilies(scopes: readonly AnyScope[]): string[] {
  return EVENT_FAMILIES.filter((family) => readsAll(scopes, family));
}

function readsAll(scopes: readonly AnyScope[], wanted: string): boolean {
  return EVENT_TYPES.filter((type) => isWanted({ type }, [wanted])).every((type) => mayRead(scopes, { type }));
}

function assertReadable(types: readonly string[], { scopes }: WebhookMaker): void {
  const position = types.findIndex((type) => !readsAll(scopes, type));
  if (position === -1) return;
  throw fault('validation_failed', `types.${position}`, 'The maker of the webhook lacks the scope that reads these.');
}

const REST_MILLISECONDS = 86_400_000;

/** One that stands still is looked after once a day. */
export const restingFrom = (now: Date) => ({ dueAt: new Date(now.getTime() + REST_MILLISECONDS).toISOString() });

/** A status in which it waits for no other attempt. */
function settled(status: WebhookStatus, now: Date) {
  const due = isDelivering({ status }) ? { dueAt: now.toISOString() } : restingFrom(now);
  return { status, failures: 0, nextAttemptAt: null, ...due };
}

export interface WebhookWishes extends Partial<WebhookDraft> {
  readonly status?: 'active' | 'paused';
  readonly after?: number | 'latest';
}

export interface WebhookChanges extends WebhookWishes {
  /** A number of the feed that exists. */
  readonly after?: number;
}

/**
 * Who says where, what or from where on is sent can receive it, and so has to be one who may read it.
 *
 * @param scopes of the caller, who need not be the maker
 * @throws Problem `insufficient_scope`
 */
export function assertMayDirect(scopes: readonly AnyScope[], webhook: Webhook, changes: WebhookWishes): void {
  const { url, types, after } = changes;
  if (url === undefined && types === undefined && after === undefined) return;
  assertScope(scopes, 'events:read');
  for (const type of EVENT_TYPES) {
    if (isWanted({ type }, types ?? webhook.types)) assertMayRead(scopes, { type });
  }
}

/**
 * What changes where, what or from where on is delivered ends the waiting for another attempt.
 *
 * @throws Problem `validation_failed` for a type that its maker may not read
 */
export function reviseWebhook<W extends Webhook>(webhook: W, changes: WebhookChanges, now: Date): W {
  if (changes.types) assertReadable(changes.types, webhook.maker);
  const { url = webhook.url, types = webhook.types, after = webhook.after } = changes;
  const { description = webhook.description, status = webhook.status } = changes;
  const isElsewhere = url !== webhook.url || after !== webhook.after || !isSame(types, webhook.types);
  const present = isElsewhere && status === 'failing' ? 'active' : status;
  const isChanged = isElsewhere || present !== webhook.status;
  const changed = { url, types, after, description, ...(isChanged && settled(present, now)) };
  return revised(webhook, { ...webhook, ...changed }, now);
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

/** Whether events are sent to it, now or later, without anybody's doing. */
export const isDelivering = ({ status }: Pick<Webhook, 'status'>): boolean =>
  status === 'active' || status === 'failing';

export const isWaiting = ({ nextAttemptAt }: Pick<Webhook, 'nextAttemptAt'>, now: Date): boolean =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) > now.getTime();

type Wants = Pick<Webhook, 'types' | 'maker'>;

export function isSentTo({ types, maker }: Wants, event: Pick<NumberedEvent, 'type'>): boolean {
  return isWanted(event, types) && mayRead(maker.scopes, event);
}

/** @param counts of the events behind its position; undefined if the next has expired */
export function behindOf(webhook: Wants, counts: EventCounts | undefined): number {
  if (!counts) return MAX_BEHIND;
  const wanted = EVENT_TYPES.filter((type) => isSentTo(webhook, { type }));
  return Math.min(
    MAX_BEHIND,
    wanted.reduce((sum, type) => sum + (counts[type] ?? 0), 0),
  );
}

/** What the maker is by now. */
export interface MakerState {
  /** Null for a user who was removed. */
  readonly role: Role | null;
  /** Whether its key lives; true if it has none. */
  readonly hasKey: boolean;
}

export const mayDeliver = ({ role, hasKey }: MakerState): boolean => role === 'admin' && hasKey;

type Outcome = Partial<Webhook>;

export function afterSuccess({ failures }: Pick<Webhook, 'failures'>, now: Date): Outcome {
  return { status: 'active', lastSuccessAt: now.toISOString(), ...(failures > 0 && settled('active', now)) };
}

/** For one whose maker has lost its rights, or whose next events have expired. */
export const pausedAt = (now: Date): Outcome => settled('paused', now);

const MINUTE = 60;
const HOUR = 3_600;

/** The seconds from one attempt to the next. After the last of them, the webhook is disabled. */
const RETRY_SECONDS = [5, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)] as const;

/** Receivers that failed together are not tried together. */
const JITTER = 0.1;

/** @param random from 0 to 1 */
export function afterFailure(
  { failures }: Pick<Webhook, 'failures'>,
  lastFailure: DeliveryFailure,
  now: Date,
  random: number,
): Outcome {
  const seconds = RETRY_SECONDS[failures];
  const failed = { lastFailure, lastFailureAt: now.toISOString() };
  if (seconds === undefined || lastFailure === 'gone') return { ...failed, ...settled('disabled', now) };
  const milliseconds = seconds * 1_000 * (1 + JITTER * (2 * random - 1));
  const nextAttemptAt = new Date(now.getTime() + milliseconds).toISOString();
  return { ...failed, status: 'failing', failures: failures + 1, nextAttemptAt, dueAt: nextAttemptAt };
}

/** @param status of the answer @returns undefined for a success */
export function failureOfStatus(status: number): DeliveryFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 410) return 'gone';
  if (status >= 300 && status < 400) return 'http_3xx';
  return status >= 400 && status < 500 ? 'http_4xx' : 'http_5xx';
}

export function tooManyWebhooks(): Problem {
  return fault('too_many_webhooks', '', `An organization has at most ${MAX_WEBHOOKS} webhooks: delete one first.`);
}
