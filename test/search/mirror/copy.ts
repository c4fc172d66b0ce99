import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EventType, ObjectType } from '#shared/domain/events/event-types.ts';
import type { Json, Reply, Sending } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { times } from '../work/crew.ts';
import { ENTRIES, INVOICES, PROJECTS, REMOTE, TRACKER } from '../work/vocabulary.ts';

/**
 * A copy of all that an organization has, as a caller keeps one: the lists are read once, and from then on the feed says
 * what to get again. What changes by consequence follows from the copy itself, as the reference tells it at each event.
 */

interface Listed {
  readonly path: string;
  readonly query?: Json;
  /** Has a GET of one object. */
  readonly hasOne?: true;
  /** Members that change without an event. */
  readonly unfollowed?: readonly string[];
}

const LISTS = {
  product: { path: '/products', query: { includeInactive: true }, hasOne: true, unfollowed: ['usageCount'] },
  client: { path: '/clients', hasOne: true },
  project: {
    path: PROJECTS,
    hasOne: true,
    unfollowed: ['totalMinutes', 'billableMinutes', 'billedMinutes', 'totalAmount', 'amountsByCurrency'],
  },
  entry: { path: ENTRIES, hasOne: true },
  timer: { path: `${TRACKER}/timer/sessions` },
  import: { path: `${REMOTE}/sync/history`, hasOne: true },
  invoice: { path: INVOICES, hasOne: true },
  credit_note: { path: '/credit-notes', hasOne: true },
  user: { path: '/v1/users', hasOne: true },
  api_key: { path: '/v1/api-keys' },
} as const satisfies Partial<Record<ObjectType, Listed>>;

type Kind = keyof typeof LISTS;

const KINDS = Object.keys(LISTS) as Kind[];

const SINGLE = { organization: '/v1/organization', remote: REMOTE } as const;

/** Of the connection: each sync changes them, also one that brings nothing. */
const LAST_SYNC = /^lastSync/;

const LIST_LIMIT = 100;

const paymentsOf = (invoiceId: string): string => `${INVOICES}/${invoiceId}/payments`;

export class Mirror {
  readonly #by: Pick<User, 'send'>;
  /** All objects by their ids; payments by those of their invoices. */
  readonly #copies = new Map<string, Map<string, Json>>();
  readonly #stale = new Map<string, Set<string>>();
  #next = 0;

  private constructor(by: Pick<User, 'send'>) {
    this.#by = by;
  }

  /** Reads the present end of the feed, and then all lists. */
  static async begin(by: Pick<User, 'send'>): Promise<Mirror> {
    const mirror = new Mirror(by);
    mirror.#next = (await mirror.#get('/v1/events', { after: 'latest' })).body.meta.next;
    for (const kind of KINDS) for (const item of await mirror.#list(LISTS[kind])) mirror.#of(kind).set(item.id, item);
    for (const id of mirror.#of('invoice').keys()) mirror.#soil('payment', id);
    for (const kind of Object.keys(SINGLE)) mirror.#soil(kind, '');
    await mirror.#refresh();
    return mirror;
  }

  /** Reads the feed to its end, and then whatever it has named. @returns the number of events */
  async follow(): Promise<number> {
    for (let count = 0; ; ) {
      const { data, meta } = (await this.#get('/v1/events', { after: String(this.#next) })).body;
      for (const event of data) this.#note(event);
      count += data.length;
      this.#next = meta.next;
      if (meta.hasMore) continue;
      await this.#refresh();
      return count;
    }
  }

  /** @returns where it differs from the lists */
  async differences(): Promise<string[]> {
    const faults: string[] = [];
    for (const kind of KINDS) {
      const list: Listed = LISTS[kind];
      const listed = new Map((await this.#list(list)).map((item) => [item.id, item]));
      faults.push(...compare(kind, this.#shown(kind), listed, list.unfollowed));
    }
    for (const id of this.#of('invoice').keys()) {
      const payments = new Map([['', { data: await this.#list({ path: paymentsOf(id) }) }]]);
      faults.push(...compare('payment', new Map([['', { data: this.#of('payment').get(id) ?? [] }]]), payments));
    }
    for (const [kind, path] of Object.entries(SINGLE)) {
      const { data } = (await this.#get(path)).body;
      faults.push(...compare(kind, this.#of(kind), new Map([['', data]])));
    }
    return faults;
  }

  #of(kind: string): Map<string, Json> {
    return ofEach(this.#copies, kind, () => new Map());
  }

  #soil(kind: string, ...ids: readonly string[]): void {
    for (const id of ids) ofEach(this.#stale, kind, () => new Set()).add(id);
  }

  #soilWhere(kind: Kind, isMeant: (copy: Json) => boolean): void {
    for (const [id, copy] of this.#of(kind)) if (isMeant(copy)) this.#soil(kind, id);
  }

  /** Takes note of what an event names, and of what its change has changed besides. */
  #note({ type, data: { object, entryIds = [] } }: Json): void {
    const { type: kind, id, invoiceId } = object;
    this.#soil(kind, kind in SINGLE ? '' : kind === 'payment' ? invoiceId : id);
    this.#soil('entry', ...entryIds);
    if (invoiceId) this.#soil('invoice', invoiceId);
    const isDraft = ({ status }: Json) => status === 'draft';
    const isOfClient = ({ clientId }: Json) => clientId === id;
    const isOfProject = ({ projectId }: Json) => projectId === id;
    const consequences: Partial<Record<EventType, () => void>> = {
      'client.updated': () => this.#soilWhere('invoice', (copy) => isDraft(copy) && isOfClient(copy)),
      'client.deleted': () => {
        for (const linked of ['project', 'entry', 'timer', 'invoice'] as const) this.#soilWhere(linked, isOfClient);
      },
      'project.deleted': () => {
        for (const linked of ['entry', 'timer'] as const) this.#soilWhere(linked, isOfProject);
      },
      'user.removed': () => this.#soilKeys(({ userId }) => userId === id),
      'api_key.revoked': () => this.#soilKeys((key) => key.id === id),
      'invoice.sent': () => this.#soil('organization', ''),
      'credit_note.created': () => this.#soil('organization', ''),
      'organization.updated': () => this.#soilWhere('invoice', isDraft),
    };
    consequences[type as EventType]?.();
    if (kind === 'import') this.#soil('remote', '');
  }

  /** Keys end, and those that they made and that live on have another maker. */
  #soilKeys(areEnded: (key: Json) => boolean): void {
    const ended = new Set([...this.#of('api_key').values()].filter(areEnded).map(({ id }) => id));
    this.#soilWhere('api_key', ({ id, createdByKeyId }) => ended.has(id) || ended.has(createdByKeyId));
  }

  /** Gets again what is stale. Invoices come first: they tell of entries. */
  async #refresh(): Promise<void> {
    const invoices = this.#taken('invoice');
    for (const id of invoices) this.#soilWhere('entry', ({ invoiceId }) => invoiceId === id);
    await this.#getEach('invoice', invoices);
    for (const id of invoices)
      this.#soil(
        'entry',
        ...(this.#of('invoice').get(id)?.lineItems ?? []).flatMap(({ entryIds = [] }: Json) => entryIds),
      );
    for (const id of this.#taken('payment')) await this.#getPayments(id);
    for (const [kind, path] of Object.entries(SINGLE))
      if (this.#taken(kind).length > 0) this.#of(kind).set('', (await this.#get(path)).body.data);
    for (const kind of KINDS) await this.#getEach(kind, this.#taken(kind));
  }

  #taken(kind: string): string[] {
    const ids = [...(this.#stale.get(kind) ?? [])];
    this.#stale.delete(kind);
    return ids;
  }

  async #getEach(kind: Kind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const list: Listed = LISTS[kind];
    const listed = list.hasOne ? undefined : new Map((await this.#list(list)).map((item) => [item.id, item]));
    const left = [...ids];
    await times(AT_ONCE, async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const found = listed ? listed.get(id) : (await this.#get(`${list.path}/${id}`)).body.data;
        if (found) this.#of(kind).set(id, found);
        else this.#of(kind).delete(id);
      }
    });
  }

  async #getPayments(invoiceId: string): Promise<void> {
    const { status, body } = await this.#get(paymentsOf(invoiceId), { limit: LIST_LIMIT });
    if (status === 404) this.#of('payment').delete(invoiceId);
    else this.#of('payment').set(invoiceId, body.data);
  }

  /** With the names of what they link to, which change with that. */
  #shown(kind: Kind): Map<string, Json> {
    const nameOf = (named: Kind, id: string | null) => (id === null ? null : (this.#of(named).get(id)?.name ?? null));
    const shown = (copy: Json) => {
      if (kind !== 'entry' && kind !== 'timer') return copy;
      const projectName = nameOf('project', copy.projectId);
      const clientName = nameOf('client', copy.clientId);
      if (kind === 'timer') return { ...copy, projectName, clientName };
      const clientLabel = clientName ?? copy.clientLabel;
      return { ...copy, projectName, clientLabel, userName: nameOf('user', copy.userId) };
    };
    return new Map([...this.#of(kind)].map(([id, copy]) => [id, shown(copy)]));
  }

  /** A page begins with the last item of the one before. If it does not, items have moved, and one may be missing. */
  async #list({ path, query }: Listed): Promise<Json[]> {
    for (;;) {
      const items: Json[] = [];
      for (;;) {
        const offset = Math.max(0, items.length - 1);
        const { body } = await this.#get(path, { ...query, limit: LIST_LIMIT, offset });
        if (items.length > 0 && body.data[0]?.id !== items.at(-1)?.id) break;
        items.push(...body.data.slice(items.length > 0 ? 1 : 0));
        if (items.length >= body.meta.total || body.data.length < 2) return items;
      }
    }
  }

  /** @returns a success, or that there is no such thing */
  async #get(path: string, query?: Sending['query']): Promise<Reply> {
    for (let attempts = 1; ; attempts++) {
      const reply = await this.#by.send('GET', path, { query }).catch((error) => asReply(error));
      if (reply.status === 200 || reply.status === 404) return reply;
      if (attempts === ATTEMPTS) throw new Error(`GET ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      await sleep(PAUSE_MILLISECONDS);
    }
  }
}

const AT_ONCE = 4;
const ATTEMPTS = 30;
const PAUSE_MILLISECONDS = 200;

/** Of a function that was killed. */
const asReply = (error: unknown): Reply => ({ status: 500, headers: new Headers(), body: String(error) });

function ofEach<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

/** Lists leave out the lines of long documents. */
function compare(
  kind: string,
  copies: ReadonlyMap<string, Json>,
  listed: ReadonlyMap<string, Json>,
  unfollowed: readonly string[] = [],
): string[] {
  return [...new Set([...copies.keys(), ...listed.keys()])].flatMap((id) => {
    const [copy, item] = [copies.get(id), listed.get(id)];
    if (!copy || !item) return `${kind} ${id} is ${copy ? 'in the copy alone' : 'not in the copy'}`;
    return Object.keys(item)
      .filter((name) => !unfollowed.includes(name) && !LAST_SYNC.test(name))
      .filter((name) => !isDeepStrictEqual(item[name], copy[name]))
      .map((name) => `${kind} ${id} has ${name} ${JSON.stringify(item[name])}, the copy ${JSON.stringify(copy[name])}`);
  });
}
