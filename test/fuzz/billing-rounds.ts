import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseMinor } from '#shared/domain/money.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { INVOICES } from './billing.ts';
import { compareBilled, compareNumbers } from './invoice-reckoning.ts';
import { listAll } from './reckoning.ts';
import { type Crew, playRounds, type Round, type RoundFigures, type Sent, times, Writes } from './rounds.ts';
import { TRACKER } from './workplace.ts';

/**
 * Random invoicing of the same few entries: each is on one invoice at most and shows as invoiced exactly while it is, none is left out in the end,
 * and what was answered is there. All of it is asked over HTTP.
 */
export function fuzzBilling(rounds: number, seed: number, hire?: () => Promise<User>): Promise<RoundFigures> {
  return playRounds({ rounds, seed, acts: ACTS, hire }, beginBilling);
}

const ACTS = 5;
const ENTRIES = `${TRACKER}/entries`;
const REMOTE = `${TRACKER}/remote`;
const RANGE = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20'];

/** Entries that are typed in, batches of rows to import, and rows of each. */
const TYPED = 8;
const BATCHES = 3;
const ROWS = 8;

/** Of an invoice that is always a draft, and always has these entries, whatever else comes and goes. */
const ANCHORS = 2;

const NEVER = 'None of the entries that an invoice always has may ever show as free';

async function beginBilling(crew: Crew): Promise<Round> {
  const { by } = crew;
  const client = await given.client(by);
  const make = () => given.project(by, { clientId: client.id, rate: 60, billable: true });
  const [{ id: P }, { id: Q }] = [await make(), await make()];
  await given.connection(by);
  const round = new BillingRound(crew, client.id, [P, Q]);
  await Promise.all([times(TYPED, () => round.book()), ...BATCH_NUMBERS.map((batch) => round.import(batch))]);
  await round.anchor();
  return round;
}

const BATCH_NUMBERS = Array.from({ length: BATCHES }, (_, batch) => batch);

const EFFECTS = { send: 'sent', void: 'void', delete: null } as const;

interface Invoice {
  readonly id: string;
  readonly status: Writes;
  /** As JSON. */
  readonly lines: Writes;
  entryIds: readonly string[];
  isOver: boolean;
}

class BillingRound implements Round {
  readonly #crew: Crew;
  readonly #clientId: string;
  /** Most days are billed by the first; so others find entries of the second free. */
  readonly #projectIds: readonly string[];
  readonly #invoices = new Map<string, Invoice>();
  /** What the descriptions of entries say that no import changes, by id. */
  readonly #typed = new Map<string, Writes>();
  readonly #jobIds: string[] = [];
  #anchors: readonly string[] = [];
  #anchor: Invoice | undefined;

  constructor(crew: Crew, clientId: string, projectIds: readonly string[]) {
    this.#crew = crew;
    this.#clientId = clientId;
    this.#projectIds = projectIds;
  }

  readonly acts: Round['acts'] = [
    [2, () => this.#billAtOnce()],
    [8, () => this.#change()],
    [1, () => this.#step('send')],
    [5, () => this.#end()],
    [4, () => this.#edit()],
    [1, () => this.#remove()],
    [1, () => this.book()],
    [2, () => this.import(this.#crew.dice.pick(BATCH_NUMBERS))],
    [1, () => this.#undo()],
  ];

  async book(): Promise<void> {
    const description = this.#crew.newText();
    const body = {
      description,
      entryDate: this.#crew.dice.pick(DAYS),
      durationMinutes: 60,
      projectId: this.#crew.dice.pick(this.#projectIds),
    };
    const sent = await this.#crew.send('create entry', 'POST', ENTRIES, { body });
    if (sent.status === 201) this.#noteEntry(sent.body.data.id, sent, description);
  }

  #noteEntry(id: string, sent: Sent, description: string | null): void {
    const writes = this.#typed.get(id) ?? new Writes();
    writes.note(sent, description);
    this.#typed.set(id, writes);
  }

  async import(batch: number): Promise<void> {
    const { dice } = this.#crew;
    const rows = Array.from({ length: ROWS }, (_, row) => ({
      externalId: `${batch} ${row}`,
      date: DAYS[row % DAYS.length],
      durationMinutes: 1 + dice.below(90),
      project: String(row % 2),
      rate: 60,
    }));
    const body = { rows, projectMapping: { 0: this.#projectIds[0], 1: this.#projectIds[1] }, updateChanged: true };
    const sent = await this.#crew.send('confirm import', 'POST', `${REMOTE}/sync/confirm`, { body });
    if (sent.status < 300) this.#jobIds.push(sent.body.data.importJobId);
  }

  async #undo(): Promise<void> {
    await this.#crew.send('undo import', 'POST', `${REMOTE}/sync/history/${this.#crew.dice.pick(this.#jobIds)}/undo`);
  }

  async anchor(): Promise<void> {
    this.#anchors = (await this.#free()).slice(0, ANCHORS);
    this.#anchor = await this.#create({ lineItems: [{ entryIds: this.#anchors }] });
  }

  async #create(content: Json): Promise<Invoice | undefined> {
    const body = { clientId: this.#clientId, currency: 'USD', ...content };
    const sent = await this.#crew.send('create invoice', 'POST', INVOICES, { body });
    if (sent.status !== 201) return undefined;
    const { id } = sent.body.data;
    const invoice: Invoice = { id, status: new Writes(), lines: new Writes(), entryIds: [], isOver: false };
    invoice.status.note(sent, 'draft');
    noteLines(invoice, sent);
    this.#invoices.set(id, invoice);
    return invoice;
  }

  #bill(): Promise<Invoice | undefined> {
    const { dice } = this.#crew;
    const projectId = dice.chance(0.8) ? this.#projectIds[0] : null;
    return this.#create({ timeEntries: { ...RANGE, projectId, groupBy: dice.pick(['entry', 'project', 'day']) } });
  }

  #billAtOnce(): Promise<unknown> {
    return this.#crew.clicks(this.#crew.dice.pick([2, 3]), () => this.#bill());
  }

  /** Ids of what shows as free. */
  async #free(): Promise<string[]> {
    const query = {
      clientId: this.#clientId,
      limit: 200,
      ...(this.#crew.dice.chance(0.5) && { billingStatus: 'unbilled' }),
    };
    const { data = [] } = (await this.#crew.get(ENTRIES, query)).body;
    const free = data.filter((entry: Json) => entry.billingStatus === 'unbilled').map(({ id }: Json) => id);
    if (this.#anchors.some((id) => free.includes(id))) this.#crew.blame(NEVER);
    return free;
  }

  #pick(): Invoice | undefined {
    const open = [...this.#invoices.values()].filter((each) => !each.isOver && each !== this.#anchor);
    return open.length > 0 ? this.#crew.dice.pick(open) : undefined;
  }

  /** Other lines for a draft, as somebody sends them who clicks once, twice or four times; now and then while another sends the invoice. */
  async #change(): Promise<void> {
    const { dice } = this.#crew;
    const invoice = dice.chance(0.5) ? this.#anchor : this.#pick();
    if (!invoice) return;
    const { status, headers, body } = await this.#crew.get(`${INVOICES}/${invoice.id}`);
    if (status !== 200 || body.data.status !== 'draft') return;
    const isKept = (id: string) => this.#anchors.includes(id) || dice.chance(0.7);
    const free = await this.#free();
    const coming = free.length > 0 ? [dice.pick(free), dice.pick(free)] : [];
    const wanted = new Set([...entryIdsOf(body.data).filter(isKept), ...coming]);
    const own = { name: this.#crew.newText(), price: '1' };
    const lineItems = [own, ...[...wanted].map((id) => ({ entryIds: [id] }))];
    const tag = dice.chance(0.7) ? { 'if-match': headers.get('etag') ?? '' } : undefined;
    const isSending = dice.chance(0.2) && invoice !== this.#anchor;
    const [sent] = await Promise.all([
      this.#crew.clicks(dice.pick([1, 4, 4]), () => this.#replace(invoice, lineItems, tag)),
      isSending && this.#step('send', invoice),
    ]);
    if (tag && sent.filter((each) => each.status < 300).length > 1)
      this.#crew.blame('One tag was good for two changes');
  }

  async #replace(invoice: Invoice, lineItems: readonly Json[], headers: Record<string, string> = {}): Promise<Sent> {
    const sending = { body: { lineItems }, headers };
    const sent = await this.#crew.send('change invoice', 'PATCH', `${INVOICES}/${invoice.id}`, sending);
    noteLines(invoice, sent);
    return sent;
  }

  async #step(step: 'send' | 'void' | 'delete', invoice = this.#pick()): Promise<void> {
    if (!invoice) return;
    const path = `${INVOICES}/${invoice.id}`;
    const [method, target] = step === 'delete' ? ['DELETE', path] : ['POST', `${path}/${step}`];
    const sent = await this.#crew.send(`${step} invoice`, method, target);
    invoice.status.note(sent, EFFECTS[step]);
    invoice.isOver ||= sent.status < 300 && step !== 'send';
  }

  /** An invoice lets go of its entries; at once some of them are changed, and several want all. */
  async #end(): Promise<void> {
    const invoice = this.#pick();
    if (!invoice) return;
    await this.#step(invoice.status.mayLeave('draft') ? 'delete' : 'void', invoice);
    const changes = invoice.entryIds.slice(-2).map((id) => this.#edit(id));
    await Promise.all([...changes, this.#billAtOnce()]);
  }

  async #edit(id?: string): Promise<void> {
    const entryId = id ?? (await this.#anyFree());
    if (!entryId) return;
    const body = { description: this.#crew.newText(), durationMinutes: 1 + this.#crew.dice.below(90) };
    const sent = await this.#crew.send('change entry', 'PATCH', `${ENTRIES}/${entryId}`, { body });
    if (this.#typed.has(entryId)) this.#noteEntry(entryId, sent, body.description);
  }

  async #remove(): Promise<void> {
    const id = await this.#anyFree();
    if (!id) return;
    const sent = await this.#crew.send('delete entry', 'DELETE', `${ENTRIES}/${id}`);
    if (this.#typed.has(id)) this.#noteEntry(id, sent, null);
  }

  async #anyFree(): Promise<string | undefined> {
    const free = await this.#free();
    return free.length > 0 ? this.#crew.dice.pick(free) : undefined;
  }

  async judge(): Promise<void> {
    const { blame } = this.#crew;
    while ((await listAll(this.#crew, `${REMOTE}/sync/history`, blame)).some(({ status }) => status === 'processing'))
      await sleep(100);
    const entries = await this.#compare();
    const free = entries.filter(({ billingStatus, rate }) => billingStatus === 'unbilled' && rate !== null);
    const last = await this.#create({ timeEntries: { ...RANGE, groupBy: 'entry' } });
    const billed = last ? entryIdsOf((await this.#crew.get(`${INVOICES}/${last.id}`)).body.data) : [];
    if (!isDeepStrictEqual(billed.sort(), free.map(({ id }) => id).sort()))
      blame(`${free.length} entries show as free, and ${billed.length} are billed: ${billed.join(' ')}`);
    await this.#compare();
  }

  /** @returns all entries, as they are shown */
  async #compare(): Promise<readonly Json[]> {
    const { blame } = this.#crew;
    const listed = await listAll(this.#crew, INVOICES, blame);
    const invoices = await Promise.all(
      listed.map(async ({ id }) => (await this.#crew.get(`${INVOICES}/${id}`)).body.data),
    );
    const entries = await listAll(this.#crew, ENTRIES, blame);
    const amounts = new Map(entries.map(({ id, amount }) => [id, parseMinor(amount ?? '0')]));
    compareBilled(invoices, entries, amounts, blame);
    compareNumbers(invoices, blame);
    const present = new Map(invoices.map((invoice) => [invoice.id, invoice]));
    for (const { id, status, lines } of this.#invoices.values()) {
      const invoice = present.get(id);
      if (!status.mayLeave(invoice?.status ?? null))
        blame(`The invoice ${id} is ${invoice?.status}, unlike the answers`);
      if (invoice && !lines.mayLeave(JSON.stringify(invoice.lineItems)))
        blame(`The invoice ${id} has unanswered lines`);
    }
    const descriptions = new Map(entries.map(({ id, description }) => [id, description]));
    for (const [id, writes] of this.#typed)
      if (!writes.mayLeave(descriptions.get(id) ?? null)) blame(`The entry ${id} is not as it was answered`);
    return entries;
  }
}

function noteLines(invoice: Invoice, sent: Sent): void {
  const { data } = sent.body;
  invoice.lines.note(sent, JSON.stringify(data?.lineItems ?? null));
  if (data) invoice.entryIds = entryIdsOf(data);
}

function entryIdsOf({ lineItems }: Json): string[] {
  return lineItems.flatMap(({ entryIds }: Json) => entryIds);
}
