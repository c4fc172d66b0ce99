import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Reply, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { Dice } from './reads/dice.ts';
import { Violations } from './violations.ts';

/**
 * Rounds of eight callers who do random things to the same few objects at once. Nothing is held and nothing fails: their requests meet as those of
 * people do. Each round has an organization of its own, so that what went wrong in one does not show in the next.
 */
export interface RoundFigures {
  readonly seed: number;
  readonly rounds: number;
  readonly requests: number;
  /** By operation and status. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly violations: readonly string[];
}

export interface Round {
  /** The things that a caller may do, the more often the higher the first number. */
  readonly acts: readonly (readonly [weight: number, act: () => Promise<unknown>])[];
  /** Compares what is there, once all callers have ended. */
  judge(): Promise<void>;
}

interface Plan {
  readonly rounds: number;
  readonly seed: number;
  /** What each caller does in a round. */
  readonly acts: number;
  /** Makes the user of a round: any other than by default puts the search itself to the test. */
  readonly hire?: () => Promise<User>;
}

const CALLERS = 8;

/**
 * What may be said of things that others change at the same moment; any other refusal is a violation. An import fails that has to wait for an invoice,
 * since this cloud delivers its message again at once, and not after minutes.
 */
const FORESEEN: ReadonlySet<string> = new Set([
  'entry_invoiced',
  'entry_not_billable',
  'import_failed',
  'import_not_undoable',
  'invoice_empty',
  'invoice_state_forbids',
  'invoicing_in_progress',
  'not_found',
  'precondition_failed',
  'reference_not_found',
  'temporarily_unavailable',
]);

export async function playRounds(plan: Plan, begin: (crew: Crew) => Promise<Round>): Promise<RoundFigures> {
  const { rounds, seed, hire = given.user } = plan;
  const outcomes = new Map<string, number>();
  const violations = new Violations();
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  for (let number = 1; number <= rounds; number++) {
    const blame = (fault: string) => violations.add(`Round ${number}, ${seconds().toFixed(1)} s: ${fault}`);
    const crew = new Crew(await hire(), new Dice(seed + number), outcomes, blame);
    try {
      await play(crew, await begin(crew), plan);
    } catch (error) {
      blame(String(error));
    }
    if (number % PROGRESS === 0) console.error(`${number} of ${rounds} rounds, ${violations.kept.length} violations`);
  }
  const requests = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  const sorted = Object.fromEntries([...outcomes].sort());
  return { seed, rounds, requests, outcomes: sorted, seconds: seconds(), violations: violations.kept };
}

/** Rounds between two lines that say how far it is. */
const PROGRESS = 10;

async function play(crew: Crew, round: Round, plan: Plan): Promise<void> {
  const acts = round.acts.flatMap(([weight, act]) => Array<typeof act>(weight).fill(act));
  await times(CALLERS, async () => {
    for (let i = 0; i < plan.acts; i++) await crew.dice.pick(acts)();
  });
  await round.judge();
}

/** The same thing several times at once. */
export function times<Outcome>(count: number, act: () => Promise<Outcome>): Promise<Outcome[]> {
  return Promise.all(Array.from({ length: count }, act));
}

/** As long as a request takes between what it reads and what it writes. */
const MOMENT_MILLISECONDS = 60;

/** An answer, with the moments at which its request began and ended: each is one tick of the crew's clock. */
export interface Sent extends Reply {
  readonly from: number;
  readonly to: number;
}

/** The callers of a round, who are one user. */
export class Crew implements Pick<Client, 'get'> {
  readonly by: User;
  readonly dice: Dice;
  readonly blame: (fault: string) => void;
  readonly #outcomes: Map<string, number>;
  #ticks = 0;

  constructor(by: User, dice: Dice, outcomes: Map<string, number>, blame: (fault: string) => void) {
    this.by = by;
    this.dice = dice;
    this.blame = blame;
    this.#outcomes = outcomes;
  }

  async send(operation: string, method: string, path: string, sending?: Sending): Promise<Sent> {
    this.#ticks += 1;
    const from = this.#ticks;
    const reply = await this.by.send(method, path, sending);
    this.#ticks += 1;
    const { status, body } = reply;
    const outcome = `${operation} ${status}${status >= 400 ? ` ${body.code}` : ''}`;
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
    if (status >= 400 && !FORESEEN.has(body.code)) this.blame(`${outcome}: ${body.detail}`);
    return { ...reply, from, to: this.#ticks };
  }

  get(path: string, query?: Sending['query']): Promise<Sent> {
    return this.send('read', 'GET', path, { query });
  }

  /** The same several times within a moment, as by somebody who clicks again. */
  clicks<Outcome>(count: number, act: () => Promise<Outcome>): Promise<Outcome[]> {
    return times(count, async () => {
      await sleep(this.dice.below(MOMENT_MILLISECONDS));
      return act();
    });
  }

  /** A text that nobody has used. */
  newText(): string {
    this.#ticks += 1;
    return `text ${this.#ticks}`;
  }
}

/**
 * What several have written to one thing, null for its deletion. Writes that overlap may have happened in any order. One with an open outcome, a
 * 503, may have written anything, or nothing.
 */
export class Writes {
  readonly #writes: { readonly value: string | null | undefined; readonly from: number; readonly to: number }[] = [];

  note({ status, from, to }: Sent, value: string | null): void {
    if (status < 300) this.#writes.push({ value, from, to });
    else if (status >= 500) this.#writes.push({ value: undefined, from, to: Number.POSITIVE_INFINITY });
  }

  /** Whether this can be what is left: no other write that is sure began after one of this value had ended. */
  mayLeave(value: string | null): boolean {
    const sure = this.#writes.filter((write) => write.value !== undefined);
    return this.#writes.some(
      (write) => [value, undefined].includes(write.value) && !sure.some((later) => later.from > write.to),
    );
  }
}
