import * as v from 'valibot';
import { createdAt, integer, integerFrom, list, text, timestamp, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { resource } from '#shared/contract/tagged.ts';
import { EVENT_FAMILIES } from '#shared/domain/events/event.ts';
import { EVENT_TYPES } from '#shared/domain/events/event-types.ts';
import { isUrl, MAX_URL_LENGTH } from '#shared/domain/events/receiver.ts';
import { DELIVERY_FAILURES, MAX_BEHIND, WEBHOOK_STATUSES } from '#shared/domain/events/webhook.ts';

/** Types of events, and families of them. */
export const WANTED_TYPES = [...EVENT_TYPES, ...EVENT_FAMILIES] as const;

const sequence = integer;

const uri = rule('url', 'a URL', { pattern: '^[^\\s\\\\]+$' }, isUrl);

const shown = (count: number) => count.toLocaleString('en');

export const webhook = resource(
  'Webhook',
  'Where the events of the organization are sent to. Its tag moves with `after` and `behind`: while events happen, an `If-Match` is often answered 412.',
  {
    id: described(uuid, 'The id of the webhook.'),
    url: described(v.pipe(v.string(), uri), 'Where each event is sent to, as a POST.'),
    types: described(
      v.array(v.string()),
      'The types of the events that are sent. `invoice.*` stands for all types that begin so.',
    ),
    description: described(v.string(), 'What it is for.'),
    status: described(
      v.picklist(WEBHOOK_STATUSES),
      '`active`: sent as they happen. `failing`: again at `nextAttemptAt`. `paused`: not sent; somebody wanted so, its maker lost its rights, or the next events have expired. `disabled`: not sent; all attempts failed, or a 410.',
    ),
    after: described(sequence, 'The number of the last event that was delivered, or needs no delivery.'),
    behind: described(
      integer,
      `How many of its events are not delivered yet, counted up to ${shown(MAX_BEHIND)}; ${shown(MAX_BEHIND)} as well where the next have expired.`,
    ),
    lastSuccessAt: described(v.nullable(timestamp), 'When an event was last delivered.'),
    lastFailureAt: described(v.nullable(timestamp), 'When an attempt last failed.'),
    lastFailure: described(
      v.nullable(v.picklist(DELIVERY_FAILURES)),
      'Why it did: the name was not found, leads to an address that is not public, no connection or answer came, TLS failed, 15 s were over, or the answer was a redirection or an error. `gone` is 410.',
    ),
    nextAttemptAt: described(v.nullable(timestamp), 'From when on a failing one is tried again.'),
    createdAt,
    updatedAt,
  },
);

export const secret = described(
  v.string(),
  'What the deliveries are signed with. It is shown this once and never again.',
);

const url = described(
  v.pipe(text(1, MAX_URL_LENGTH), uri),
  'It begins with `https://` and a host name that is known everywhere, and has no user, no port but 443 and no fragment.',
);

const types = v.pipe(
  list(v.picklist(WANTED_TYPES), WANTED_TYPES.length),
  v.minLength(1),
  rule('enum', 'each type once', { uniqueItems: true }, (sent: string[]) => new Set(sent).size === sent.length),
);

export const members = v.object({ url, types, description: text(0, 200) });

/** A position in the feed. */
export const after = v.union([v.literal('latest'), integerFrom(0, Number.MAX_SAFE_INTEGER)]);

export const exampleWebhook = {
  id: '019aa2f5-3000-7a10-8b1c-2d3e4f5a6b7c',
  url: 'https://hooks.example.com/billwright',
  types: ['invoice.*', 'payment.*'],
  description: 'Accounting',
  status: 'active',
  after: 42,
  behind: 0,
  lastSuccessAt: '2026-11-20T09:30:02.000Z',
  lastFailureAt: null,
  lastFailure: null,
  nextAttemptAt: null,
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
};

export const exampleSecret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
