import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import type { ProblemCode } from '#shared/domain/problems.ts';
import { routes } from '#shared/routes.ts';
import type { Reply, Sending } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { templateOf } from '#test/support/openapi-validator.ts';
import type { Dice } from '../dice.ts';
import type { Findings } from '../findings.ts';

/** Problems of things that others change at the same moment, or of the invoice that is drawn. */
const FORESEEN: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'currency_mismatch',
  'currency_not_supported',
  'e_invoice_incomplete',
  'entry_invoiced',
  'entry_not_billable',
  // An import fails that has to wait for an invoice: this cloud delivers its message again at once, and not after minutes.
  'import_failed',
  'import_not_undoable',
  'invalid_payment_amount',
  'invoice_empty',
  'invoice_has_payments',
  'invoice_state_forbids',
  'invoicing_in_progress',
  'not_found',
  'payment_exceeds_due',
  'precondition_failed',
  'reference_not_found',
  'temporarily_unavailable',
  'timer_already_running',
  'timer_not_running',
]);

/** An answer, with the moments at which its request began and ended: each is one tick of the crew's clock. */
export interface Sent extends Reply {
  readonly from: number;
  readonly to: number;
}

/** The same thing several times at once. */
export function times<Outcome>(count: number, act: (position: number) => Promise<Outcome>): Promise<Outcome[]> {
  return Promise.all(Array.from({ length: count }, (_, position) => act(position)));
}

/** As long as a request takes between what it reads and what it writes. */
const MOMENT_MILLISECONDS = 60;

/** POST requests of which so many have an `Idempotency-Key`, and how often these are sent before they count as lost. */
const NAMED_SHARE = 0.4;
const NAMED_ATTEMPTS = 3;
const REPLAYED_SHARE = 0.3;

const NAMED = new Set(routes.filter(takesIdempotencyKey).map(({ path }) => path));

/** Users of one organization at work, whose requests are counted and timed. */
export class Crew {
  readonly users: readonly [User, ...User[]];
  readonly dice: Dice;
  readonly blame: (fault: string) => void;
  readonly #findings: Findings;
  readonly #foreseen: ReadonlySet<ProblemCode>;
  #ticks = 0;

  /** @param foreseen any other refusal is a violation */
  constructor(
    users: readonly [User, ...User[]],
    dice: Dice,
    findings: Findings,
    blame: (fault: string) => void,
    foreseen = FORESEEN,
  ) {
    this.users = users;
    this.dice = dice;
    this.#findings = findings;
    this.blame = blame;
    this.#foreseen = foreseen;
  }

  async send(by: User, operation: string, method: string, path: string, sending: Sending = {}): Promise<Sent> {
    const from = this.tick();
    const isNamed = method === 'POST' && NAMED.has(templateOf(path) ?? '') && this.dice.chance(NAMED_SHARE);
    const reply = isNamed ? await this.#sendNamed(by, path, sending) : await by.send(method, path, sending);
    const { status, body } = reply;
    const outcome = `${operation} ${status}${status >= 400 ? ` ${body.code}` : ''}`;
    this.#findings.countOutcome(outcome);
    if (status >= 400 && !this.#foreseen.has(body.code)) this.blame(`${outcome}: ${body.detail}`);
    return { ...reply, from, to: this.tick() };
  }

  get(by: User, path: string, query?: Sending['query']): Promise<Sent> {
    return this.send(by, 'read', 'GET', path, { query });
  }

  /** Sends a request under a name, and again when its answer is lost; now and then once more, which repeats the answer. */
  async #sendNamed(by: User, path: string, { body }: Sending): Promise<Reply> {
    const headers = { 'idempotency-key': this.newText() };
    let reply = await by.send('POST', path, { body, headers });
    for (let attempts = 1; attempts < NAMED_ATTEMPTS && isOpen(reply); attempts++) {
      await sleep(Number(reply.headers.get('retry-after') ?? 0) * 1_000);
      reply = await by.send('POST', path, { body, headers });
    }
    if (isOpen(reply)) return { ...reply, status: 503, body: { ...reply.body, code: 'temporarily_unavailable' } };
    if (isKept(reply) && this.dice.chance(REPLAYED_SHARE)) {
      const again = await by.send('POST', path, { body, headers });
      if (again.status < 500 && !isDeepStrictEqual(saidIn(again), saidIn(reply)))
        this.blame(`${path} was answered ${reply.status}, and then ${again.status}`);
    }
    return reply;
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
    return `text ${this.tick()}`;
  }

  /** The next moment of the clock. */
  tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }
}

/** Whether a request may have been done or not. */
const isOpen = ({ status, body }: Reply) => status >= 500 || body.code === 'idempotency_in_progress';

/** A refusal of the request's form is not: the same request may do better later. */
const isKept = ({ status, body }: Reply) => status !== 400 && body.code !== 'validation_failed';

const saidIn = ({ status, body }: Reply) => ({ status, ...body, requestId: undefined });
