import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { seed } from '#scripts/bench/seed.ts';
import { takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import type { Client, Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import { Billing, INVOICES } from './billing.ts';
import { randomNumbers } from './fault-injector.ts';
import { Thing } from './thing.ts';

/** One user at work, who does one thing after the other and knows what the answers have told. Several share an organization with its projects. */

export const TRACKER = '/v1/work/tracker';

/** Of few months, so that entries of several users meet on the pages of the ledger, and of two years. */
const DAYS = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-20', '2027-01-01'];

/** Kinds of resources that are made, changed and deleted alike; `mark` is the member with the text that they are recognized by. */
export const KINDS = [
  { kind: 'product', path: '/products', mark: 'name', isChangeable: true },
  { kind: 'client', path: '/clients', mark: 'name', isChangeable: true },
  { kind: 'project', path: `${TRACKER}/projects`, mark: 'name', isChangeable: true },
  { kind: 'entry', path: `${TRACKER}/entries`, mark: 'description', isChangeable: true },
  { kind: 'key', path: '/v1/api-keys', mark: 'name', isChangeable: false },
] as const;

type Kind = (typeof KINDS)[number];

/** Every GET that needs a key. */
const READS = routes.filter(({ method, scope }) => method === 'GET' && scope !== null);

/** What a POST with an `Idempotency-Key` is sent to, as patterns. */
const NAMED = routes.filter(takesIdempotencyKey).map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/, '[^/]+')}$`));

/** How often a request is sent again under its name before it counts as lost. */
const NAMED_ATTEMPTS = 3;

/** Of those that ask for one. */
const QUERIES: Readonly<Record<string, string>> = {
  searchProducts: '?q=product',
  summarizeEntries: '?dateFrom=2026-10-01&dateTo=2026-12-01',
};

/** Separates a text that never changes from what changes say. */
const CHANGE = '~';

export const baseOf = (mark: string) => mark.split(CHANGE)[0] ?? '';

/** Whether a request may have been done or not. */
const isOpen = ({ status, body }: Reply) => status >= 500 || body.code === 'idempotency_in_progress';

const said = ({ body }: Reply) => ({ ...body, requestId: undefined });

/** What all users of an organization work with, made before anything fails. */
export interface Workplace {
  readonly projectIds: readonly string[];
  readonly clientIds: readonly string[];
}

export interface Batch {
  readonly rows: readonly Json[];
  /** Of the last confirm that succeeded. */
  jobId: string | undefined;
  /** `there` when each of its rows has one entry; a failed import leaves some. */
  readonly state: Thing;
}

export class Actor {
  readonly name: string;
  readonly by: User;
  /** Of an organization of its own, whose remote connection nobody else changes. */
  readonly hermit: User;
  readonly #account: RemoteAccount;
  readonly #workplace: Workplace;
  readonly #random: () => number;
  readonly things = new Map<string, { readonly kind: Kind; readonly thing: Thing }>();
  readonly batches: Batch[] = [];
  /** By the description of the session: what it is, and whether an entry was booked. */
  readonly sessions = new Map<string, Thing>();
  readonly connection = new Thing(null);
  readonly billing: Billing;
  readonly violations: string[] = [];
  /** By operation and status. */
  readonly outcomes = new Map<string, number>();
  #count = 0;

  constructor(
    name: string,
    seed: number,
    given: { by: User; hermit: User; account: RemoteAccount; workplace: Workplace },
  ) {
    this.name = name;
    this.by = given.by;
    this.hermit = given.hermit;
    this.#account = given.account;
    this.#workplace = given.workplace;
    this.#random = randomNumbers(seed);
    const biller = {
      send: (operation: string, method: string, path: string, body?: unknown) =>
        this.#send(operation, this.by, method, path, body),
      blame: (fault: string | undefined) => this.#blame(fault),
      pick: <T>(values: readonly T[]) => this.#pick(values),
      newText: (kind: string) => this.#newText(kind),
      own: (kind: Kind['kind']) => this.#own(kind),
      isDeadLink: (reply: Reply, body: Json) => this.#isDeadLink(reply, body),
    };
    this.billing = new Billing(biller, given.workplace.clientIds);
  }

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
    [2, () => this.#import()],
    [1, () => this.#repeatImport()],
    [1, () => this.#undo()],
    [1, () => this.#connect()],
    [1, () => this.#settings()],
    [1, () => this.#disconnect()],
    [1, () => this.#preview()],
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
    const isNamed = method === 'POST' && NAMED.some((each) => each.test(path)) && this.#random() < 0.5;
    const reply = isNamed ? await this.#sendNamed(client, path, body) : await client.send(method, path, { body });
    const outcome = `${operation} ${reply.status}${reply.status >= 400 ? ` ${reply.body.code}` : ''}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (reply.body.code === 'internal_error') this.#blame(`${operation} ended in an unexpected failure`);
    return reply;
  }

  /** Sends a request under a name, and again when its answer is lost; now and then once more, which only repeats the answer. */
  async #sendNamed(client: Client, path: string, body: unknown): Promise<Reply> {
    const headers = { 'idempotency-key': this.#newText('request') };
    const attempt = () => client.send('POST', path, { body, headers });
    let reply = await attempt();
    for (let count = 1; count < NAMED_ATTEMPTS && isOpen(reply); count++) {
      await sleep(Number(reply.headers.get('retry-after') ?? 0) * 1_000);
      reply = await attempt();
    }
    if (isOpen(reply)) return { ...reply, status: 503 };
    if (this.#random() < 0.3) {
      const again = await attempt();
      const isSame = again.status === reply.status && isDeepStrictEqual(said(again), said(reply));
      if (again.status < 500 && !isSame) this.#blame(`${path} was answered ${reply.status}, and then ${again.status}`);
    }
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

  /** An answer shows the session that runs: it is one of ours, even if we never heard that it had started, and no other runs. */
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

  async #import(): Promise<void> {
    const text = this.#newText('import');
    const rows = Array.from({ length: 1 + Math.floor(this.#random() * 60) }, (_, i) => ({
      date: this.#pick(DAYS),
      durationMinutes: 1 + i,
      description: `${text}${CHANGE}${i}`,
      externalId: `${text}${i}`,
      project: 'Website',
      rate: 19.99,
    }));
    const batch: Batch = { rows, jobId: undefined, state: new Thing(null) };
    this.batches.push(batch);
    await this.#confirm(batch);
  }

  async #repeatImport(): Promise<void> {
    if (this.batches.length === 0) return this.#import();
    await this.#confirm(this.#pick(this.batches));
  }

  async #confirm(batch: Batch): Promise<void> {
    const projectMapping = { Website: this.#workplace.projectIds[0] };
    const path = `${TRACKER}/remote/sync/confirm`;
    const reply = await this.#send('confirm import', this.by, 'POST', path, { rows: batch.rows, projectMapping });
    if (reply.status >= 400 && reply.status < 500) return this.#blame(`confirm: ${reply.status} ${reply.body.code}`);
    const isOpen = reply.status !== 200;
    this.#blame(batch.state.learn(isOpen ? { ...reply, status: 500 } : reply, 'there'));
    const { importedCount, importJobId } = isOpen ? {} : reply.body.data;
    // Rows of one batch that several jobs have imported are for none of them to undo.
    if (importedCount !== 0) batch.jobId = importedCount === batch.rows.length ? importJobId : undefined;
  }

  async #undo(): Promise<void> {
    const undoable = this.batches.filter(({ jobId }) => jobId !== undefined);
    if (undoable.length === 0) return this.#import();
    const batch = this.#pick(undoable);
    const reply = await this.#send(
      'undo import',
      this.by,
      'POST',
      `${TRACKER}/remote/sync/history/${batch.jobId}/undo`,
    );
    const isUndone = reply.status === 409 && batch.state.may(null);
    this.#blame(batch.state.learn(isUndone ? { ...reply, status: 200 } : reply, null));
    if (reply.status < 300 || isUndone) batch.jobId = undefined;
  }

  async #connect(): Promise<void> {
    const { accountId, accessToken } = this.#account;
    const reply = await this.#send('connect', this.hermit, 'POST', `${TRACKER}/remote/connect`, {
      accountId,
      accessToken,
    });
    // A first connection has the default, a later one keeps its interval.
    const before = ['15', '30', '60'].filter(
      (interval) => this.connection.may(interval) || (interval === '60' && this.connection.may(null)),
    );
    const after = reply.status === 200 ? [String(reply.body.data.syncIntervalMinutes)] : before;
    for (const interval of after) this.#blame(this.connection.learn(reply, interval));
  }

  async #settings(): Promise<void> {
    const syncIntervalMinutes = this.#pick([15, 30]);
    const body = { syncEnabled: false, syncIntervalMinutes };
    const reply = await this.#send('settings', this.hermit, 'PATCH', `${TRACKER}/remote/settings`, body);
    this.#blame(this.connection.learn(reply, String(syncIntervalMinutes)));
  }

  async #disconnect(): Promise<void> {
    this.#blame(
      this.connection.learn(await this.#send('disconnect', this.hermit, 'DELETE', `${TRACKER}/remote`), null),
    );
  }

  async #preview(): Promise<void> {
    const { status, body } = await this.#send('preview', this.by, 'POST', `${TRACKER}/remote/sync/preview`, {});
    if (status >= 400 && status < 500) this.#blame(`preview: ${status} ${body.code}`);
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

/** More than a transaction holds: an invoice of all of them is made in steps. */
const OLD_ENTRIES = 160;

/** Users of one organization, with what they work with. */
const PAST = { projects: 50, clients: 10, entriesPerDay: 500, until: '2026-12-01' };

/** Each client has worked for it in each project on each day. */
async function bookPast(founder: User, entries: number): Promise<void> {
  const { projects, clients, entriesPerDay, until } = PAST;
  const clientIds: string[] = [];
  for (let i = 0; i < clients; i++) clientIds.push((await given.client(founder)).id);
  const owner = { organizationId: founder.organization.id, userId: founder.userId };
  const days = Math.ceil(entries / entriesPerDay);
  await seed({ ...owner, entries, days, until, projects, clientIds, isForAnyClient: true });
}

/** @param past how many entries the organization has already, of days of hundreds of cells */
export async function hire(count: number, luck: number, past = 0): Promise<Actor[]> {
  const founder = await given.user();
  await given.connection(founder);
  const [client, other] = [await given.client(founder), await given.client(founder)];
  const projects = [
    await given.project(founder, { rate: 50, billable: true }),
    await given.project(founder, { clientId: client.id, rate: 60, currency: 'JPY' }),
  ];
  const old = await given.project(founder, { clientId: other.id, rate: 60 });
  await bookEntries(founder, old, OLD_ENTRIES, DAYS);
  if (past > 0) await bookPast(founder, past);
  const workplace = { projectIds: projects.map(({ id }) => id), clientIds: [client.id, other.id] };
  const { organization } = founder;
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const [by, hermit] = [await given.user({ organization }), await given.user()];
      return new Actor(`u${i}`, luck + i, { by, hermit, account: await given.remoteAccount(), workplace });
    }),
  );
}
