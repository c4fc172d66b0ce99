import { routes } from '#shared/routes.ts';
import type { Client, Json, Reply } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import { Billing, INVOICES } from './billing.ts';
import { randomNumbers } from './fault-injector.ts';
import { sendNamed, takesName } from './named-requests.ts';
import { RemoteWork } from './remote-work.ts';
import { Thing } from './thing.ts';
import { CHANGE, DAYS, KINDS, type Kind, TRACKER, type Workplace } from './workplace.ts';

/**
 * One user at work, who does one thing after the other and knows what the answers have told. Several share an
 * organization with its projects.
 */

/** Every GET that needs a key. */
const READS = routes.filter(({ method, scope }) => method === 'GET' && scope !== null);

/** Of those that ask for one. */
const QUERIES: Readonly<Record<string, string>> = {
  searchProducts: '?q=product',
  summarizeEntries: '?dateFrom=2026-10-01&dateTo=2026-12-01',
};

export class Actor {
  readonly name: string;
  readonly by: User;
  /** Of an organization of its own, whose remote connection nobody else changes. */
  readonly hermit: User;
  readonly #workplace: Workplace;
  readonly #random: () => number;
  readonly things = new Map<string, { readonly kind: Kind; readonly thing: Thing }>();
  /** By the description of the session: what it is, and whether an entry was booked. */
  readonly sessions = new Map<string, Thing>();
  readonly billing: Billing;
  readonly remote: RemoteWork;
  readonly violations: string[] = [];
  /** By operation and status. */
  readonly outcomes = new Map<string, number>();
  #count = 0;

  constructor(
    name: string,
    seed: number,
    given: { by: User; hermit: User; account: RemoteAccount; workplace: Workplace },
  ) {
    const { by, hermit } = given;
    this.name = name;
    this.by = by;
    this.hermit = hermit;
    this.#workplace = given.workplace;
    this.#random = randomNumbers(seed);
    const send = this.#send.bind(this);
    const sendAsUser = (operation: string, method: string, path: string, body?: unknown) =>
      send(operation, by, method, path, body);
    this.billing = new Billing({ ...this.#user, send: sendAsUser }, given.workplace.clientIds);
    this.remote = new RemoteWork({ ...this.#user, by, hermit, send }, given.account, given.workplace.projectIds[0]);
  }

  /** What it shares with those who do a part of its work. */
  readonly #user = {
    blame: (fault: string | undefined) => this.#blame(fault),
    pick: <T>(values: readonly T[]) => this.#pick(values),
    random: () => this.#random(),
    newText: (kind: string) => this.#newText(kind),
    own: (kind: Kind['kind']) => this.#own(kind),
    isDeadLink: (reply: Reply, body: Json) => this.#isDeadLink(reply, body),
  };

  async step(): Promise<void> {
    const [, act] = this.#pick(this.#acts);
    await act();
  }

  /** What it can do, the more often the higher the first number. */
  readonly #all: readonly (readonly [weight: number, act: () => Promise<void>])[] = [
    [8, () => this.#create()],
    [8, () => this.#change()],
    [3, () => this.#remove()],
    [4, () => this.#start()],
    [4, () => this.#end()],
    [2, () => this.remote.import()],
    [1, () => this.remote.repeat()],
    [1, () => this.remote.undo()],
    [1, () => this.remote.connect()],
    [1, () => this.remote.settings()],
    [1, () => this.remote.disconnect()],
    [1, () => this.remote.preview()],
    [6, () => this.#read()],
    [5, () => this.billing.create()],
    [2, () => this.billing.change()],
    [6, () => this.billing.goOn()],
    [4, () => this.billing.pay()],
    [2, () => this.billing.takeBack()],
  ];

  readonly #acts = this.#all.flatMap((each) => Array.from({ length: each[0] }, () => each));

  #pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.#random() * values.length)];
    if (value === undefined) throw new Error('There is nothing to pick from.');
    return value;
  }

  #newText(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.name}-${this.#count}-`;
  }

  /** Every answer is compared with the OpenAPI document; what is not foreseen in there, or by us, is a violation. */
  async #send(operation: string, client: Client, method: string, path: string, body?: unknown): Promise<Reply> {
    const isNamed = takesName(method, path) && this.#random() < 0.5;
    const reply = isNamed ? await sendNamed(this.#user, client, path, body) : await client.send(method, path, { body });
    const outcome = `${operation} ${reply.status}${reply.status >= 400 ? ` ${reply.body.code}` : ''}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (reply.body.code === 'internal_error') this.#blame(`${operation} ended in an unexpected failure`);
    return reply;
  }

  #blame(fault: string | undefined): void {
    if (fault) this.violations.push(`${this.name}: ${fault}`);
  }

  async #create(): Promise<void> {
    const kind = this.#pick(KINDS);
    const text = this.#newText(kind.kind);
    const thing = new Thing(null);
    this.things.set(text, { kind, thing });
    const body = this.#bodyOf(kind, text);
    const reply = await this.#send(`create ${kind.kind}`, this.by, 'POST', kind.path, body);
    if (!this.#isDeadLink(reply, body)) this.#blame(thing.learn(reply, text));
    if (reply.status === 201) thing.id = reply.body.data.id;
  }

  #bodyOf({ kind, mark }: Kind, text: string): Json {
    const named = { [mark]: text };
    switch (kind) {
      case 'product':
        return { ...named, price: '19.90', sku: text };
      case 'client':
        return named;
      case 'project':
        return {
          ...named,
          rate: 80,
          clientId: this.#pick([...this.#workplace.clientIds, ...this.#own('client'), null]),
        };
      case 'entry':
        return { ...named, ...this.#work(), projectId: this.#projectId() };
      case 'key':
        return { ...named, scopes: ['products:read'] };
    }
  }

  #projectId(): string | null {
    return this.#pick([...this.#workplace.projectIds, ...this.#own('project'), null]);
  }

  #own(wanted: Kind['kind']): string[] {
    return [...this.things.values()].flatMap(({ kind, thing }) => (kind.kind === wanted && thing.id ? thing.id : []));
  }

  /** Whether a link was refused to what may have been deleted. */
  #isDeadLink({ status, body }: Reply, sent: Json): boolean {
    if (status !== 400 || body.code !== 'reference_not_found') return false;
    const text = JSON.stringify(sent);
    return [...this.things.values()].some(({ thing }) => thing.id && text.includes(thing.id) && thing.may(null));
  }

  /** Whoever bills an entry keeps it from being changed; the reckoning finds out whether it was billed. */
  #isBilled({ status, body }: Reply, kind: Kind['kind']): boolean {
    return kind === 'entry' && status === 409 && body.code === 'entry_invoiced';
  }

  #work(): Json {
    const durationMinutes = 1 + Math.floor(this.#random() * 500);
    return { entryDate: this.#pick(DAYS), durationMinutes, billable: this.#random() < 0.7, rate: 33.33 };
  }

  #changeOf(kind: Kind['kind']): Json {
    switch (kind) {
      case 'product':
        return { isActive: this.#random() < 0.5 };
      case 'entry':
        return { ...this.#work(), projectId: this.#projectId() };
      default:
        return {};
    }
  }

  #existing() {
    return [...this.things].filter(([, { thing }]) => thing.id !== undefined);
  }

  async #change(): Promise<void> {
    const changeable = this.#existing().filter(([, { kind }]) => kind.isChangeable);
    if (changeable.length === 0) return this.#create();
    const [text, { kind, thing }] = this.#pick(changeable);
    this.#count += 1;
    const changed = `${text}${CHANGE}${this.#count}`;
    const body = { ...this.#changeOf(kind.kind), [kind.mark]: changed };
    const reply = await this.#send(`change ${kind.kind}`, this.by, 'PATCH', `${kind.path}/${thing.id}`, body);
    if (this.#isDeadLink(reply, body) || this.#isBilled(reply, kind.kind)) return;
    this.#blame(thing.learn(reply, changed));
  }

  async #remove(): Promise<void> {
    const existing = this.#existing();
    if (existing.length === 0) return this.#create();
    const [, { kind, thing }] = this.#pick(existing);
    const reply = await this.#send(`delete ${kind.kind}`, this.by, 'DELETE', `${kind.path}/${thing.id}`);
    if (!this.#isBilled(reply, kind.kind)) this.#blame(thing.learn(reply, null));
  }

  #running(): Thing | undefined {
    return [...this.sessions.values()].find((thing) => thing.may('running'));
  }

  async #start(): Promise<void> {
    const text = this.#newText('timer');
    const body = { description: text, projectId: this.#pick(this.#workplace.projectIds) };
    const reply = await this.#send('start timer', this.by, 'POST', `${TRACKER}/timer/start`, body);
    if (reply.status === 409) return this.#runs(reply.body.session);
    const thing = new Thing(null);
    this.sessions.set(text, thing);
    this.#blame(thing.learn(reply, 'running'));
    if (reply.status === 201) this.#runs(reply.body.data);
  }

  /**
   * An answer shows the session that runs: it is one of ours, even if we never heard that it had started, and no other
   * runs.
   */
  #runs({ id, description }: Json): void {
    const running = this.sessions.get(description);
    if (!running?.may('running')) {
      this.#blame(`the timer ${description} runs, though it is ${running}`);
      return;
    }
    running.id = id;
    for (const other of this.sessions.values()) {
      if (other !== running && !other.exclude('running')) this.#blame(`another timer than ${description} was running`);
    }
  }

  async #end(): Promise<void> {
    const thing = this.#running();
    if (!thing?.id) return this.#start();
    const [verb, state] = this.#random() < 0.7 ? (['stop', 'stopped'] as const) : (['discard', 'discarded'] as const);
    const reply = await this.#send(`${verb} timer`, this.by, 'POST', `${TRACKER}/timer/${thing.id}/${verb}`);
    if (reply.status !== 409) return this.#blame(thing.learn(reply, state));
    const { status } = reply.body.session;
    if (!thing.may(status)) this.#blame(`${verb}: the session is ${status}, though it is ${thing}`);
    thing.learn({ ...reply, status: 200 }, status);
  }

  /** Anything that can be asked; one thing has to be what it is known to be. */
  async #read(): Promise<void> {
    const { operationId, path } = this.#pick(READS);
    const [collection, one] = path.split('/{id}');
    if (one === undefined) return this.#readAll(operationId, path);
    if (collection === INVOICES) return this.billing.read(operationId, path);
    const existing = this.#existing().filter(([, { kind }]) => kind.path === collection);
    if (existing.length === 0) return this.#create();
    const [text, { kind, thing }] = this.#pick(existing);
    const { status, body } = await this.#send(operationId, this.by, 'GET', path.replace('{id}', thing.id ?? ''));
    const seen = status === 404 ? null : body.data?.[kind.mark];
    if (status < 500 && !thing.may(seen)) this.#blame(`${text} is shown as ${seen}, though it is ${thing}`);
  }

  async #readAll(operationId: string, path: string): Promise<void> {
    const { status, body } = await this.#send(operationId, this.by, 'GET', path + (QUERIES[operationId] ?? ''));
    if (status >= 400 && status < 500) this.#blame(`${operationId}: ${status} ${body.code}`);
  }
}
