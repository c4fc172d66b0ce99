import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { deleteEntry } from '#shared/contract/tracker/delete-entry.ts';
import { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import type { Json } from '#test/support/client.ts';
import type { Told } from './books.ts';
import type { Desk } from './desk.ts';
import { CURRENCIES, DAYS, TAGS, WORDS } from './vocabulary.ts';

/** Writes of entries. Each caller changes only those that it has made. */

export interface Write {
  readonly endpoint: Endpoint;
  readonly id?: string;
  readonly body?: Json;
  /**
   * Does the same to the books.
   *
   * @param told what the service has chosen
   * @param body as the endpoint reads it
   * @param data of the answer, for what `told` does not tell
   * @returns what the service has to answer in `data`; undefined for a deletion @throws Problem
   */
  readonly effect: (told: Told, body: Json, data: Json) => unknown;
}

/** Now and then what is not there any more. */
export function linkTo({ dice, books }: Desk, things: ReadonlyMap<string, unknown>): string | null | undefined {
  if (dice.chance(0.3)) return dice.pick([null, undefined]);
  const gone = [...books.deletedNames.keys()];
  const ids = gone.length > 0 && dice.chance(0.05) ? gone : [...things.keys()];
  return ids.length > 0 ? dice.pick(ids) : null;
}

function clockTimes({ dice }: Desk) {
  return dice.chance(0.4)
    ? dice.pick([
        { startTime: '09:00', endTime: '10:30' },
        { startTime: '22:15', endTime: '01:00' },
      ])
    : {};
}

const tagsOf = ({ dice }: Desk) => ({ tags: Array.from({ length: dice.below(4) }, () => dice.pick(TAGS)) });

export function entryCreation(desk: Desk): Write {
  const { books, dice, userId } = desk;
  const body = {
    description: `${dice.pick(WORDS)} ${dice.below(100)}`,
    durationMinutes: 1 + dice.below(500),
    entryDate: dice.pick(DAYS),
    ...clockTimes(desk),
    billable: dice.chance(0.8),
    billedMinutes: dice.pick([undefined, undefined, null, 0, 75]),
    rate: dice.pick([undefined, 0, 33.33, 120]),
    currency: dice.pick([undefined, undefined, ...CURRENCIES]),
    projectId: linkTo(desk, books.projects),
    clientId: dice.chance(0.5) ? undefined : linkTo(desk, books.clients),
    userId: dice.pick([undefined, undefined, ...books.users.keys()]),
    ...(dice.chance(0.5) && tagsOf(desk)),
  };
  return { endpoint: createEntry, body, effect: (told, parsed) => books.createEntry(userId, parsed, told) };
}

function ownEntryId({ books, dice, userId }: Desk): string | undefined {
  const own = [...books.entries.values()].filter((entry) => entry.userId === userId).map(({ id }) => id);
  const ids = dice.chance(0.05) ? books.deletedEntries.slice(-5) : own;
  return ids.length > 0 ? dice.pick(ids) : undefined;
}

export function entryChange(desk: Desk): Write {
  const { books, dice } = desk;
  const id = ownEntryId(desk);
  if (id === undefined) return entryCreation(desk);
  const changes = [
    () => ({ description: `${dice.pick(WORDS)} ${dice.below(100)}` }),
    () => ({ durationMinutes: 1 + dice.below(500) }),
    () => ({ entryDate: dice.pick(DAYS) }),
    () => ({ entryDate: dice.pick(DAYS) }),
    () => ({ projectId: linkTo(desk, books.projects) }),
    () => ({ clientId: linkTo(desk, books.clients) }),
    () => ({ billable: dice.chance(0.5) }),
    () => ({ billedMinutes: dice.pick([null, 0, 75]) }),
    () => ({ rate: dice.pick([0, 19.99, 33.33]) }),
    () => clockTimes(desk),
    () => tagsOf(desk),
  ];
  const body = Object.assign({}, ...Array.from({ length: dice.below(4) }, () => dice.pick(changes)()));
  return { endpoint: updateEntry, id, body, effect: (told, parsed) => books.changeEntry(id, parsed, told) };
}

export function entryDeletion(desk: Desk): Write {
  const id = ownEntryId(desk);
  if (id === undefined) return entryCreation(desk);
  return { endpoint: deleteEntry, id, effect: () => desk.books.deleteEntry(id) };
}
