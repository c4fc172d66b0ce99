import { isDeepStrictEqual } from 'node:util';
import type { Cloud } from '#scripts/local/cloud.ts';
import type { ProblemCode } from '#shared/domain/problems.ts';
import { roundedMinutes, type TimeRounding } from '#shared/domain/time-rounding.ts';
import type { Json, Reply } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import type { RemoteEntry } from '#test/support/provider.ts';
import { MILLION, timeAmountOf, written } from '#test/support/recount.ts';
import { questionsTo, type RemoteAccount } from '#test/support/remote-account.ts';
import { pickRounding } from '#test/support/rounding.ts';
import { Dice, weighted } from './dice.ts';
import { Findings } from './findings.ts';
import { Crew } from './work/crew.ts';
import { becomesTrue } from './work/reckoning.ts';
import { ENTRIES, INVOICES, REMOTE, TRACKER } from './work/vocabulary.ts';

/**
 * Rounds in which a provider's entries come, are corrected, move, go and become nonsense, also between two pages of a list
 * that is being read, while the organization syncs them, bills them, frees them again, edits and removes them, and changes
 * its currency, zone and rounding. Rows with the same ids come from elsewhere. One thing happens after the other, so after
 * each sync every entry is foretold: it is as at the provider, unless it was edited here, or an invoice had it; or as in the
 * rows from elsewhere, unless an invoice had it.
 */

const ACTS_OF_A_ROUND = 40;

/** Nothing is free to be billed, or an invoice was sent. */
const FORESEEN: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['invoice_empty', 'currency_in_use']);

export async function searchSyncs(cloud: Pick<Cloud, 'fireSchedule'>, rounds: number, seed: number) {
  const findings = new Findings();
  let [acts, shifts] = [0, 0];
  await findings.inRounds(rounds, async (number, blame) => {
    const crew = new Crew([await given.user()], new Dice(seed + number), findings, blame, FORESEEN);
    const round = await Round.begin(cloud, crew);
    await round.play();
    acts += ACTS_OF_A_ROUND;
    shifts += round.shifts;
  });
  const { count: requests, outcomes, violations } = findings;
  return { rounds, acts, shifts, requests, outcomes, violations };
}

type Currency = 'USD' | 'EUR' | 'JPY';

/** What an entry has of its row. */
interface Content {
  readonly description: string;
  readonly entryDate: string;
  readonly durationMinutes: number;
  readonly rate: number;
  readonly currency: Currency;
}

interface Known {
  readonly content: Content;
  readonly isEdited: boolean;
  /** The invoice that has it. */
  readonly invoice: string | null;
}

interface AtProvider extends Content {
  readonly updatedAt: string;
  /** Makes it one that cannot be imported. */
  readonly nonsense: Pick<RemoteEntry, 'hours' | 'currency'> | undefined;
}

const CURRENCIES = ['USD', 'EUR', 'JPY'] as const;
const RATES = [20, 33.33, 100] as const;
const NONSENSE = [{ hours: -1.5 }, { currency: 'GBX' }, { hours: 9_000 }] as const;
const HOUR_MILLISECONDS = 3_600_000;
const SYNC_MILLISECONDS = 30_000;
const DAYS_BACK = 25;

interface Begun {
  readonly cloud: Pick<Cloud, 'fireSchedule'>;
  readonly crew: Crew;
  readonly account: RemoteAccount;
  readonly clientId: string;
  /** The organization's rule: the rows have no project. */
  readonly rounding: TimeRounding | null;
}

class Round {
  readonly #of: Begun;
  readonly #dice: Dice;
  readonly #provider = new Map<number, AtProvider>();
  readonly #known = new Map<number, Known>();
  /** By their external ids: what was removed here, and does not come back. */
  readonly #declined = new Set<number>();
  readonly #invoices = new Map<string, 'draft' | 'sent'>();
  /** Lists that have changed between two pages. */
  shifts = 0;
  #time = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  #last = 0;

  private constructor(begun: Begun) {
    this.#of = begun;
    this.#dice = begun.crew.dice;
  }

  static async begin(cloud: Begun['cloud'], crew: Crew): Promise<Round> {
    const [by] = crew.users;
    const account = await given.connection(by);
    await by.patch(`${REMOTE}/settings`, { syncEnabled: true, syncIntervalMinutes: 15 });
    const { id: clientId } = await given.client(by, { name: 'Globex' });
    const rounding = pickRounding(crew.dice);
    await by.patch('/v1/organization', { rounding });
    return new Round({ cloud, crew, account, clientId, rounding });
  }

  async play(): Promise<void> {
    const choices = weighted<() => unknown>([
      [6, () => this.#add()],
      [6, () => this.#correct()],
      [1, () => this.#forget()],
      [2, () => this.#spoil()],
      [8, () => this.#sync()],
      [2, () => this.#bring()],
      [3, () => this.#bill()],
      [2, () => this.#send()],
      [6, () => this.#free()],
      [1, () => this.#edit()],
      [1, () => this.#remove()],
      [4, () => this.#configure()],
    ]);
    for (let i = 0; i < 3; i++) this.#add();
    await this.#sync();
    for (let i = 0; i < ACTS_OF_A_ROUND; i++) await this.#dice.pick(choices)();
    for (const id of this.#invoices.keys()) await this.#free(id);
    await this.#sync();
  }

  #add(): void {
    this.#last += 1;
    this.#set(this.#last, this.#content());
  }

  #content(): Content {
    const day = new Date(this.#time.getTime() - this.#dice.below(DAYS_BACK) * 24 * HOUR_MILLISECONDS);
    return {
      description: `work ${this.#dice.below(1_000_000)}`,
      entryDate: day.toISOString().slice(0, 10),
      durationMinutes: 15 * (1 + this.#dice.below(30)),
      rate: this.#dice.pick(RATES),
      currency: this.#dice.pick(CURRENCIES),
    };
  }

  /** Each of its members may change, its day too. */
  #correct(): number | undefined {
    const [id, before] = this.#anyAtProvider() ?? [];
    if (id === undefined || !before) return undefined;
    const { updatedAt: _, nonsense: __, ...content } = before;
    const other = this.#content();
    const member = this.#dice.pick(Object.keys(content) as (keyof Content)[]);
    this.#set(id, { ...content, [member]: other[member], description: other.description });
    return id;
  }

  #spoil(): void {
    const [id, before] = this.#anyAtProvider() ?? [];
    if (id !== undefined && before) this.#set(id, before, this.#dice.pick(NONSENSE));
  }

  #forget(): void {
    this.#provider.delete(this.#anyAtProvider()?.[0] ?? 0);
  }

  /**
   * One entry comes, is corrected or goes. Only one goes that nobody knows yet: the sync may have read it before.
   *
   * @returns the one that is corrected, which this sync may have read before, and the next one must find
   */
  #shift(): number | undefined {
    const unknown = [...this.#provider.keys()].filter((id) => !this.#known.has(id));
    if (unknown.length > 0 && this.#dice.chance(0.5)) this.#provider.delete(this.#dice.pick(unknown));
    else if (this.#dice.chance(0.5)) return this.#correct();
    else this.#add();
    return undefined;
  }

  async #hasEntryOf(id: number): Promise<boolean> {
    const wanted = this.#provider.get(id)?.description;
    return (await this.#entries()).some(({ description }) => description === wanted);
  }

  #set(id: number, content: Content, nonsense?: AtProvider['nonsense']): void {
    this.#provider.set(id, { ...content, nonsense, updatedAt: this.#time.toISOString() });
  }

  #anyAtProvider(): readonly [number, AtProvider] | undefined {
    return this.#provider.size > 0 ? this.#dice.pick([...this.#provider]) : undefined;
  }

  async #sync(): Promise<void> {
    const before = new Map(this.#provider);
    this.#time = new Date(this.#time.getTime() + 3 * HOUR_MILLISECONDS);
    const shifts = this.#dice.chance(0.5);
    const corrected = shifts ? this.#shift() : undefined;
    await this.#of.account.change({
      entries: sentAs(before),
      betweenPages: shifts ? sentAs(this.#provider) : undefined,
      perPage: shifts ? 2 : undefined,
    });
    const asked = (await questionsTo(this.#of.account)).length;
    await this.#of.cloud.fireSchedule('sync-scheduler', this.#time);
    const hasEnded = async () => {
      const { lastSyncAt, lastSyncStatus } = (await this.#ask('GET', REMOTE)).body.data;
      if (lastSyncAt !== this.#time.toISOString()) return false;
      if (lastSyncStatus !== 'succeeded') this.#of.crew.blame(`a sync has ${lastSyncStatus}`);
      return true;
    };
    if (!(await becomesTrue(hasEnded, SYNC_MILLISECONDS))) throw new Error('A sync does not end.');
    const questions = (await questionsTo(this.#of.account)).slice(asked);
    const hasShifted = questions.some((query) => query.has('cursor'));
    if (hasShifted) this.shifts += 1;
    const shown = new Map(hasShifted ? this.#provider : before);
    const former = before.get(corrected ?? 0);
    if (corrected !== undefined && former && !(await this.#hasEntryOf(corrected))) shown.set(corrected, former);
    for (const [id, { nonsense, updatedAt: _, ...content }] of shown) {
      const { isEdited = false, invoice = null } = this.#known.get(id) ?? {};
      if (nonsense || isEdited || invoice !== null || this.#declined.has(id)) continue;
      this.#known.set(id, { content, isEdited, invoice });
    }
    await this.#compare();
  }

  /** Rows of another source: under ids that the provider has too, they are others. Who sends rows brings back what was removed. */
  async #bring(): Promise<void> {
    const ids = Array.from({ length: 3 }, () => 1 + this.#dice.below(this.#last));
    const contents = new Map(ids.map((id) => [id, this.#content()]));
    const rows = [...contents].map(([id, { entryDate: date, ...content }]) => {
      return { ...content, date, client: 'Acme', externalId: `${id}` };
    });
    const reviewed = { rows, clientMapping: { Acme: this.#of.clientId }, updateChanged: true };
    const { data } = (await this.#ask('POST', `${TRACKER}/imports`, { origin: 'elsewhere', ...reviewed })).body;
    if (data.status !== 'imported') throw new Error('An import does not end.');
    for (const [id, content] of contents) {
      const key = elsewhere(id);
      if (this.#known.get(key)?.invoice) continue;
      this.#known.set(key, { content, isEdited: false, invoice: null });
      this.#declined.delete(key);
    }
    await this.#compare();
  }

  /** Everything that was imported is there once, as foretold, and shown as invoiced exactly while it is. */
  async #compare(): Promise<void> {
    const listed = await this.#entries();
    const shown = listed.map((entry) => ({ ...contentOf(entry), invoice: entry.invoiceId })).sort(byDescription);
    const wanted = [...this.#known.values()]
      .map(({ content, invoice }) => ({ ...content, invoice }))
      .sort(byDescription);
    if (!isDeepStrictEqual(shown, wanted)) {
      const missing = wanted.filter((each) => !shown.some((other) => isDeepStrictEqual(each, other)));
      const surplus = shown.filter((each) => !wanted.some((other) => isDeepStrictEqual(each, other)));
      this.#of.crew.blame(`foretold were ${JSON.stringify(missing)}, and there are ${JSON.stringify(surplus)}`);
    }
    const minutes = listed.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
    const range = { dateFrom: '2020-01-01', dateTo: '2040-12-31' };
    const { trackedMinutes } = (await this.#ask('GET', `${ENTRIES}/summary`, undefined, range)).body.data;
    if (trackedMinutes !== minutes)
      this.#of.crew.blame(`the summary has ${trackedMinutes} instead of ${minutes} minutes`);
  }

  async #entries(): Promise<Json[]> {
    return (await this.#ask('GET', ENTRIES, undefined, { limit: 200 })).body.data;
  }

  async #bill(): Promise<void> {
    const currency = this.#dice.pick(CURRENCIES);
    const free = [...this.#known].filter(
      ([, { content, invoice }]) => invoice === null && content.currency === currency,
    );
    const timeEntries = { dateFrom: '2020-01-01', dateTo: '2040-12-31', groupBy: 'entry' };
    const { clientId, rounding } = this.#of;
    const { status, body } = await this.#ask('POST', INVOICES, { clientId, currency, timeEntries });
    if (status !== 201) {
      if (free.length > 0) this.#of.crew.blame(`${free.length} entries are free, and none is billed`);
      return;
    }
    const { id, lineItems } = body.data;
    this.#invoices.set(id, 'draft');
    const billed = lineItems.map(({ amount }: Json) => amount).sort();
    const wanted = free.map(([, { content }]) => amountOf(content, rounding)).sort();
    if (!isDeepStrictEqual(billed, wanted)) this.#of.crew.blame(`billed are ${billed}, and free were ${wanted}`);
    for (const [external, known] of free) this.#known.set(external, { ...known, invoice: id });
  }

  async #send(): Promise<void> {
    const draft = [...this.#invoices].find(([, status]) => status === 'draft');
    if (!draft) return;
    await this.#ask('POST', `${INVOICES}/${draft[0]}/send`);
    this.#invoices.set(draft[0], 'sent');
  }

  /** By each of the four ways there are. */
  async #free(id = this.#dice.pick([...this.#invoices.keys(), undefined])): Promise<void> {
    const status = id === undefined ? undefined : this.#invoices.get(id);
    if (id === undefined || status === undefined) return;
    if (status === 'sent') {
      if (this.#dice.chance(0.5)) await this.#ask('POST', `${INVOICES}/${id}/void`);
      else await this.#ask('POST', `${INVOICES}/${id}/credit-notes`, { reason: 'wrong hours' });
    } else if (this.#dice.chance(0.5)) {
      await this.#ask('DELETE', `${INVOICES}/${id}`);
    } else {
      await this.#ask('PATCH', `${INVOICES}/${id}`, { lineItems: [{ name: 'Fee', price: '5' }] });
    }
    this.#invoices.delete(id);
    for (const [external, known] of this.#known)
      if (known.invoice === id) this.#known.set(external, { ...known, invoice: null });
  }

  async #edit(): Promise<void> {
    const found = await this.#anyFree();
    if (!found) return;
    const [external, known, entryId] = found;
    const description = `edited ${external} ${this.#dice.below(1_000)}`;
    await this.#ask('PATCH', `${ENTRIES}/${entryId}`, { description });
    this.#known.set(external, { ...known, content: { ...known.content, description }, isEdited: true });
  }

  async #remove(): Promise<void> {
    const found = await this.#anyFree();
    if (!found) return;
    const [external, , entryId] = found;
    await this.#ask('DELETE', `${ENTRIES}/${entryId}`);
    this.#known.delete(external);
    this.#declined.add(external);
  }

  async #anyFree(): Promise<readonly [number, Known, string] | undefined> {
    const free = [...this.#known].filter(([, { invoice }]) => invoice === null);
    if (free.length === 0) return undefined;
    const [external, known] = this.#dice.pick(free);
    const entry = (await this.#entries()).find(({ description }) => description === known.content.description);
    return entry && [external, known, entry.id];
  }

  /** The currency stays once an invoice was sent. */
  async #configure(): Promise<void> {
    const change = this.#dice.pick([
      { currency: this.#dice.pick(CURRENCIES) },
      { currency: this.#dice.pick(CURRENCIES) },
      { taxRounding: this.#dice.pick(['line', 'rate']) },
      { timeZone: this.#dice.pick(['Asia/Tokyo', 'America/New_York', null]) },
    ]);
    await this.#ask('PATCH', '/v1/organization', change);
  }

  #ask(method: string, path: string, body?: Json, query?: Json): Promise<Reply> {
    const { crew } = this.#of;
    return crew.send(crew.users[0], method, method, path, { body, query });
  }
}

/** What is known of a row from elsewhere lies beside that of the provider's entry of this id. */
const elsewhere = (id: number) => -id;

const sentAs = (entries: ReadonlyMap<number, AtProvider>): RemoteEntry[] =>
  [...entries].map(([id, { description: notes, entryDate: date, durationMinutes, nonsense, ...others }]) => {
    return { ...others, id, notes, date, hours: durationMinutes / 60, ...nonsense };
  });

const contentOf = ({ description, entryDate, durationMinutes, rate, currency }: Json): Content => ({
  description,
  entryDate: entryDate.slice(0, 10),
  durationMinutes,
  rate: Number(rate),
  currency,
});

const byDescription = (one: Content, other: Content) => (one.description < other.description ? -1 : 1);

/** Billed minutes by the rate, rounded half up to the minor unit. */
function amountOf({ durationMinutes, rate, currency }: Content, rounding: TimeRounding | null): string {
  const price = BigInt(Math.round(rate * 100)) * (MILLION / 100n);
  return written(timeAmountOf(currency, roundedMinutes(durationMinutes, rounding), price), currency);
}
