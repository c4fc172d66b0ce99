import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import { readDaySums } from '#shared/data/tracker/ledger-reading.ts';
import type { LockedThrough } from '#shared/domain/lock.ts';
import type { ProblemCode } from '#shared/domain/problems.ts';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { Dice, weighted } from './dice.ts';
import { Findings } from './findings.ts';
import { Crew } from './work/crew.ts';
import { ENTRIES, INVOICES, TRACKER } from './work/vocabulary.ts';

/**
 * Rounds of eight hands at the edge of a closed period. One of them closes it, further or less far, and opens it, while the others book, change,
 * move and delete entries on both sides, stop timers, import and undo, and bill what is there. From each answered lock on, all that is on closed days
 * stays as it is: between the answer and the next lock it is counted, first by the ledger, and again. An answer says only what some lock of its time allows.
 */

const MILLISECONDS_PER_DAY = 86_400_000;
const day = (back: number) => new Date(Date.now() - back * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);

/** Within the days that a timer may be started back. */
const DAYS = [7, 6, 5, 4, 3].map(day);
const LOCKS: readonly LockedThrough[] = [...DAYS, null];

const WRITERS = 7;

/** How often a list is asked for that changes meanwhile. */
const MOST_ASKED = 5;
const CLOSINGS = 4;
/** They book at the moment at which a period is closed. */
const CROWD = 16;
const MOMENT_MILLISECONDS = 60;

/** Several requests of a writer. */
const MOST_MILLISECONDS = 150;

/** What others may have done to the same thing meanwhile. */
const FORESEEN: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'entry_invoiced',
  'import_failed',
  'import_not_undoable',
  'invoice_empty',
  'invoice_state_forbids',
  'invoicing_in_progress',
  'not_found',
  // Whether it is right, the locks tell.
  'period_locked',
  'temporarily_unavailable',
  'timer_already_running',
  'timer_not_running',
]);

/** What a closed period keeps: not what bills an entry, and not its metadata. */
const KEPT = ['id', 'userId', 'description', 'entryDate', 'startedAt', 'durationMinutes', 'rate', 'billable', 'tags'];

export async function searchClosing(rounds: number, seed: number) {
  const findings = new Findings();
  let closings = 0;
  await findings.inRounds(rounds, async (number, blame) => {
    const dice = new Dice(seed * 1_000 + number);
    const round = new Round(new Crew([await given.user()], dice, findings, blame, FORESEEN));
    closings += await round.play();
  });
  findings.blameOverload();
  const { count: requests, outcomes, violations } = findings;
  return { rounds, closings, requests, outcomes, violations };
}

/** A lock, from when its request begins until that of another is answered. */
interface Lock {
  readonly through: LockedThrough;
  readonly from: number;
  to: number;
}

type Act = (round: Round) => Promise<unknown>;

class Round {
  readonly by: User;
  readonly crew: Crew;
  readonly #locks: Lock[] = [{ through: null, from: 0, to: Number.POSITIVE_INFINITY }];
  readonly ids: string[] = [];
  readonly jobs: string[] = [];
  clientId = '';
  #isOver = false;

  constructor(crew: Crew) {
    this.by = crew.users[0];
    this.crew = crew;
  }

  async play(): Promise<number> {
    this.clientId = (await given.client(this.by)).id;
    await Promise.all(DAYS.map((entryDate) => book(this, entryDate)));
    const writing = Array.from({ length: WRITERS }, () => this.#write());
    await this.#close().finally(() => {
      this.#isOver = true;
    });
    await Promise.all(writing);
    await this.#setLock(null);
    const { minutes } = await this.#count(null);
    const range = { dateFrom: DAYS[0] ?? '', dateTo: day(0) };
    const { totalMinutes } = (await this.by.get(`${ENTRIES}/summary`, range)).body.data;
    if (totalMinutes !== minutes) this.crew.blame(`The summary has ${totalMinutes} minutes, the list ${minutes}`);
    return CLOSINGS;
  }

  async #write(): Promise<void> {
    const { blame, dice } = this.crew;
    while (!this.#isOver)
      await dice
        .pick(ACTS)(this)
        .catch((error) => blame(String(error)));
  }

  async #close(): Promise<void> {
    const { blame, dice } = this.crew;
    for (let i = 0; i < CLOSINGS; i++) {
      const through = dice.pick(LOCKS);
      const crowd = this.crew.clicks(CROWD, () => book(this, through ?? undefined));
      await sleep(dice.below(MOMENT_MILLISECONDS));
      await this.#setLock(through);
      const sums = await this.#sums(through);
      const before = await this.#count(through);
      await sleep(dice.below(MOST_MILLISECONDS));
      const after = await this.#count(through);
      await crowd;
      if (!isDeepStrictEqual(sums, await this.#sums(through))) blame(`Up to ${through}, sums have changed`);
      if (!isDeepStrictEqual(before, after))
        blame(`Up to ${through}, ${JSON.stringify(before)} became ${JSON.stringify(after)}`);
    }
  }

  /** What the ledger has of closed days: no list is read as soon after a lock. */
  async #sums(through: LockedThrough): Promise<string[]> {
    if (through === null) return [];
    const cells = await readDaySums(this.by.organization.id, { from: DAYS[0], to: through });
    return cells.map((cell) => inspect(cell, { depth: null })).toSorted();
  }

  async #setLock(through: LockedThrough): Promise<void> {
    const lock = { through, from: this.crew.tick(), to: Number.POSITIVE_INFINITY };
    const last = this.#locks.at(-1);
    this.#locks.push(lock);
    const { status } = await this.by.patch('/v1/organization', { lockedThrough: through });
    if (status !== 200) throw new Error(`A lock is answered ${status}`);
    if (last) last.to = this.crew.tick();
  }

  /** A list that changes whenever it is read is a 503 in the end, after which a client asks again. */
  async #list(): Promise<Reply> {
    for (let asked = 1; ; asked++) {
      const reply = await this.by.get(ENTRIES, { limit: 200 });
      if (reply.status !== 503 || asked === MOST_ASKED) return reply;
      await sleep(MOST_MILLISECONDS);
    }
  }

  /** All entries up to the lock, and their minutes; of all entries without one. What is locked says so. */
  async #count(through: LockedThrough) {
    const { status, body } = await this.#list();
    if (status !== 200) throw new Error(`The list is answered ${status} ${body.code}`);
    const { data, meta } = body;
    if (meta.total > 200) throw new Error('A round has more entries than a page.');
    const dateOf = ({ entryDate }: Json): string => entryDate.slice(0, 10);
    for (const entry of data) {
      const isLocked = through !== null && dateOf(entry) <= through;
      if (entry.isLocked !== isLocked)
        this.crew.blame(`isLocked is ${entry.isLocked} on ${entry.entryDate}, up to ${through}`);
    }
    const closed = data.filter((entry: Json) => (through === null ? this.#isOver : dateOf(entry) <= through));
    const minutes = closed.reduce((sum: number, { durationMinutes }: Json) => sum + durationMinutes, 0);
    return { minutes, entries: closed.map((entry: Json) => KEPT.map((name) => entry[name])) };
  }

  /** @param dates on which an entry is written; none where only a lock of none of them would be a fault */
  async send(name: string, method: string, path: string, sent?: Json, ...dates: readonly string[]): Promise<Json> {
    const { status, body, from, to } = await this.crew.send(this.by, name, method, path, { body: sent });
    const possible = this.#locks.filter((lock) => lock.from < to && lock.to > from).map(({ through }) => through);
    const isClosed = (through: LockedThrough) => dates.some((date) => through !== null && date <= through);
    if (body.code === 'period_locked') {
      const isRight = possible.includes(body.lockedThrough) && (dates.length === 0 || isClosed(body.lockedThrough));
      if (!isRight)
        this.crew.blame(`${name} of ${dates} is refused up to ${body.lockedThrough}, and it was ${possible}`);
    } else if (status < 400 && possible.every(isClosed)) {
      this.crew.blame(`${name} of ${dates} is answered ${status}, up to ${possible}`);
    }
    return { ...body, status };
  }
}

const anyDay = ({ crew }: Round) => crew.dice.pick(DAYS);
const minutes = ({ crew }: Round) => 1 + crew.dice.below(90);
const anyEntry = ({ crew, ids }: Round) => `${ENTRIES}/${crew.dice.pick(ids)}`;

async function book(round: Round, entryDate = anyDay(round)): Promise<void> {
  const { clientId, crew } = round;
  const body = { description: crew.newText(), durationMinutes: minutes(round), entryDate, clientId, rate: 60 };
  const { data } = await round.send('book', 'POST', ENTRIES, body, entryDate);
  if (data) round.ids.push(data.id);
}

/** Who does something to an entry knows only where it was. */
const toEntry =
  (name: string, method: string, bodyOf: (round: Round) => Json | undefined): Act =>
  async (round) => {
    await round.send(name, method, anyEntry(round), bodyOf(round));
  };

const edit = toEntry('edit', 'PATCH', (round) => {
  return { description: round.crew.newText(), durationMinutes: minutes(round) };
});
const move = toEntry('move', 'PATCH', (round) => ({ entryDate: anyDay(round), description: round.crew.newText() }));
const remove = toEntry('remove', 'DELETE', () => undefined);

/** Nobody is refused because of a lock. */
async function note(round: Round): Promise<void> {
  await neverLocked(round, 'note', 'PATCH', anyEntry(round), { metadata: { note: round.crew.newText() } });
}

async function bill(round: Round): Promise<void> {
  const timeEntries = { dateFrom: DAYS[0], dateTo: DAYS.at(-1), groupBy: 'entry' };
  const { data } = await neverLocked(round, 'bill', 'POST', INVOICES, { clientId: round.clientId, timeEntries });
  if (data) await neverLocked(round, 'give up', 'DELETE', `${INVOICES}/${data.id}`);
}

async function neverLocked(round: Round, name: string, method: string, path: string, body?: Json): Promise<Json> {
  const reply = await round.send(name, method, path, body);
  if (reply.code === 'period_locked') throw new Error(`${name} is refused because of a lock`);
  return reply;
}

async function time(round: Round): Promise<void> {
  const { data } = await round.send('start', 'POST', `${TRACKER}/timer/start`);
  if (!data) return;
  const [path, date] = [`${TRACKER}/timer/${data.id}`, anyDay(round)];
  await round.send('set back', 'PATCH', path, { startedAt: `${date}T12:00:00.000Z` });
  const stopped = await round.send('stop', 'POST', `${path}/stop`, undefined, date);
  if (stopped.status !== 200) await round.send('discard', 'POST', `${path}/discard`);
}

/** Rows of closed days are left out, so no lock refuses it. */
async function bring(round: Round): Promise<void> {
  const rows = DAYS.map((date) => ({
    date,
    durationMinutes: minutes(round),
    externalId: `${round.crew.dice.below(12)}`,
  }));
  const body = { origin: 'closing', rows, updateChanged: true };
  const { data } = await neverLocked(round, 'bring', 'POST', `${TRACKER}/imports`, body);
  if (data) round.jobs.push(data.importJobId);
}

async function undo(round: Round): Promise<void> {
  if (round.jobs.length === 0) return;
  const path = `${TRACKER}/remote/sync/history/${round.crew.dice.pick(round.jobs)}/undo`;
  await neverLocked(round, 'undo', 'POST', path);
}

const ACTS: readonly Act[] = weighted<Act>([
  [6, (round) => book(round)],
  [5, edit],
  [4, move],
  [3, remove],
  [2, note],
  [2, time],
  [1, bring],
  [1, undo],
  [1, bill],
]);
