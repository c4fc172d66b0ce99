import { storedEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { compareEntries, listAll } from './reckoning.ts';
import { type Crew, playRounds, type Round, type RoundFigures } from './rounds.ts';
import { TRACKER } from './workplace.ts';

/**
 * The same few rows are imported, undone, deleted and imported again with other content, while others change what they have read of them: ledger,
 * calendar and totals equal a recount.
 */
export function fuzzComebacks(rounds: number, seed: number, hire?: () => Promise<User>): Promise<RoundFigures> {
  return playRounds({ rounds, seed, acts: ACTS, hire }, beginComebacks);
}

const ACTS = 5;
const ENTRIES = `${TRACKER}/entries`;
const REMOTE = `${TRACKER}/remote`;
const DAYS = ['2026-10-31', '2026-11-20'];
const ROWS = ['a', 'b', 'c', 'd'];

async function beginComebacks(crew: Crew): Promise<Round> {
  const { by } = crew;
  await given.connection(by);
  const client = await given.client(by);
  const projects = [await given.project(by, { clientId: client.id }), await given.project(by, { currency: 'JPY' })];
  const round = new ComebackRound(
    crew,
    projects.map(({ id }) => id),
  );
  await round.import();
  await round.list();
  return round;
}

class ComebackRound implements Round {
  readonly #crew: Crew;
  readonly #projectIds: readonly string[];
  readonly #jobIds: string[] = [];
  /** Of all entries that were ever seen. */
  #entryIds: readonly string[] = [];

  constructor(crew: Crew, projectIds: readonly string[]) {
    this.#crew = crew;
    this.#projectIds = projectIds;
  }

  readonly acts: Round['acts'] = [
    [2, () => this.import()],
    [1, () => this.#undo()],
    [4, () => this.#comeBack()],
    [4, () => this.#change()],
    [1, () => this.#remove()],
  ];

  #work(): Json {
    const { dice } = this.#crew;
    return { durationMinutes: 1 + dice.below(500), billable: dice.chance(0.7), rate: dice.pick([20, 33.33]) };
  }

  async import(): Promise<void> {
    const { dice } = this.#crew;
    const rows = ROWS.map((externalId) => ({
      ...this.#work(),
      externalId,
      date: dice.pick(DAYS),
      project: dice.pick(['P', 'Q']),
    }));
    const [P, Q] = this.#projectIds;
    const body = { rows, projectMapping: { P, Q }, updateChanged: dice.chance(0.3) };
    const sent = await this.#crew.send('confirm import', 'POST', `${REMOTE}/sync/confirm`, { body });
    if (sent.status < 300 && sent.body.data.importedCount > 0) this.#jobIds.push(sent.body.data.importJobId);
  }

  async #undo(): Promise<void> {
    const jobId = this.#jobIds.at(-1);
    if (jobId) await this.#crew.send('undo import', 'POST', `${REMOTE}/sync/history/${jobId}/undo`);
  }

  /** What goes comes again at once, while others change what they have read of it. */
  async #comeBack(): Promise<void> {
    const { dice } = this.#crew;
    await Promise.all([
      this.#undo(),
      this.import(),
      this.#crew.clicks(3, () => this.#change()),
      dice.chance(0.5) && this.#remove(),
    ]);
  }

  /** Any of the rows, whether it is there or not: it has the same id whenever it comes. */
  #entryPath(): string {
    return `${ENTRIES}/${this.#crew.dice.pick(this.#entryIds)}`;
  }

  async #change(): Promise<void> {
    const { dice } = this.#crew;
    const path = this.#entryPath();
    const etag = dice.chance(0.3) && (await this.#crew.get(path)).headers.get('etag');
    const headers: Record<string, string> = etag ? { 'if-match': etag } : {};
    const moved = dice.chance(0.5) && { projectId: dice.pick(this.#projectIds), entryDate: dice.pick(DAYS) };
    const body = { ...this.#work(), ...moved };
    await this.#crew.clicks(dice.pick([1, 2]), () => this.#crew.send('change entry', 'PATCH', path, { body, headers }));
  }

  async #remove(): Promise<void> {
    await this.#crew.send('delete entry', 'DELETE', this.#entryPath());
  }

  async list(): Promise<readonly Json[]> {
    const entries = await listAll(this.#crew, ENTRIES, this.#crew.blame);
    this.#entryIds = [...new Set([...this.#entryIds, ...entries.map(({ id }) => id)])];
    return entries;
  }

  async judge(): Promise<void> {
    const { by, blame } = this.#crew;
    const listed = await this.list();
    const entries = [...(await storedEntries(by, this.#entryIds)).values()];
    await compareEntries(by, entries, listed, blame);
  }
}
