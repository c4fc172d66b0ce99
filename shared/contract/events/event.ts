import * as v from 'valibot';
import { pascalCase } from '#shared/contract/endpoint.ts';
import { integer, timestamp, uuid } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { EVENT_TYPES, type EventType, OBJECT_OF_EVENT, type ObjectType } from '#shared/domain/events/event-types.ts';
import { ACTING_VIA } from '#shared/domain/events/happening.ts';

const actor = component(
  'EventActor',
  'Who made the change. What a worker goes on with has the actor of the request that began it.',
  {
    userId: described(v.nullable(uuid), 'The user who acted; null where nobody did.'),
    keyId: described(v.nullable(uuid), 'The key by which the user acted; null for a person who signed in.'),
    via: described(
      v.picklist(ACTING_VIA),
      'By a key, signed in, by the schedule of syncs, or as an operator of the service.',
    ),
  },
);

const id = described(uuid, 'The id of the object; of `remote`, which has none, that of the organization.');

const invoiceId = described(uuid, 'The invoice that it belongs to.');

function parentOfEntry(parent: 'project' | 'client') {
  const meaning = `The ${parent} of the entry, if it has one. That of a deleted entry may be deleted itself.`;
  return described(v.optional(uuid), meaning);
}

/** Members of an object beside its type and its id. */
const PARENTS: Readonly<Partial<Record<ObjectType, v.ObjectEntries>>> = {
  payment: { invoiceId },
  credit_note: { invoiceId },
  entry: { projectId: parentOfEntry('project'), clientId: parentOfEntry('client') },
};

/** What changes with it, without an event of its own. */
const CONSEQUENCES: Readonly<Partial<Record<ObjectType, string>>> = {
  product: 'Invoices that are made of a product raise its `usageCount` without an event.',
  client:
    'The names that others show of a client change with it, and all that drafts show of it. Deleting one unlinks its projects, entries and timers.',
  project:
    'The names that others show of a project change with it. Deleting one unlinks its entries and timers. Totals of a project change with its entries.',
  import: 'Counts of an import change while it goes on, also by rows that are skipped, which leave no event.',
  remote:
    'What the connection shows of its last sync changes with every sync. One that succeeds leaves the events of its import, and none if it brings nothing. One that died shows as failed before its event, which comes with the next sync.',
  invoice:
    'An invoice that takes or frees entries changes their `billingStatus` and `invoiceId`: when it is created, updated, deleted or voided, and when it is credited with release. `isOverdue` changes with the day.',
  payment: 'A payment changes `amountPaid` and `amountDue` of its invoice.',
  credit_note: 'A credit note that releases entries makes them unbilled.',
  user: 'The names that others show of a user change with it. Removing one ends its keys and its running timer.',
  timer: 'A user reads its own timers alone.',
  api_key:
    'A key that outlives its maker gets another `createdByKeyId` without an event, and so does one that expires leave the list.',
  organization:
    'What the documents of the organization show changes with it, until they are sent. An invoice that is sent and a credit note take the `next` number without an event of the organization, and a new year or month may begin a series.',
};

function eventOf<Type extends EventType>(
  title: string,
  types: readonly [Type, ...Type[]],
  object: ObjectType,
  more: v.ObjectEntries = {},
) {
  const consequence = CONSEQUENCES[object];
  return component(title, ['Something has happened.', consequence].filter(Boolean).join(' '), {
    id: described(uuid, 'The id of the event.'),
    sequence: described(
      integer,
      'The number of the event in its organization, from 1. Numbers of events that the caller may not read are left out.',
    ),
    type: described(v.picklist(types), 'What has happened.'),
    timestamp: described(timestamp, 'When the request began that made the change, or the step of a worker.'),
    data: described(
      v.object({
        object: described(
          v.object({
            type: described(v.literal(object), 'The type of the object.'),
            id,
            ...PARENTS[object],
          }),
          'What it has happened to.',
        ),
        actor,
        ...more,
      }),
      'What the event names: ids alone.',
    ),
  });
}

const entryIds = described(v.array(uuid), 'The entries of this part of the import: at most 100.');

const isOfEntries = (type: EventType): type is 'entries.imported' | 'entries.removed' => type.startsWith('entries.');

function typesOf(object: ObjectType) {
  const types = EVENT_TYPES.filter((type) => OBJECT_OF_EVENT[type] === object && !isOfEntries(type));
  return types as [EventType, ...EventType[]];
}

const events = [...new Set(Object.values(OBJECT_OF_EVENT))].map((object) =>
  eventOf(`${pascalCase(object)}Event`, typesOf(object), object),
);

export const event = v.variant('type', [
  ...events,
  eventOf('ImportedEntriesEvent', ['entries.imported', 'entries.removed'], 'import', { entryIds }),
]);

export const exampleEvent = {
  id: '019aa2f5-2000-7a10-9b1c-2d3e4f5a6b7c',
  sequence: 42,
  type: 'payment.created',
  timestamp: '2026-11-20T09:30:00.000Z',
  data: {
    object: {
      type: 'payment',
      id: '019aa2f5-2000-7b20-8c2d-3e4f5a6b7c8d',
      invoiceId: '019aa2f5-1000-7c30-9d3e-4f5a6b7c8d9e',
    },
    actor: {
      userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
      keyId: '019aa2f4-7900-7c4e-b2d8-1e3f5a7b9c0d',
      via: 'api_key',
    },
  },
};
