import { setTimeout as sleep } from 'node:timers/promises';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { given, type User } from '#test/support/given.ts';
import { Findings } from './findings.ts';
import { differenceOf, outcomeOf } from './reads/answers.ts';
import { Books } from './reads/books.ts';
import { type Asked, Desk } from './reads/desk.ts';
import { Invoices } from './reads/invoices.ts';
import { QUESTIONS, QUESTIONS_AT_ANY_MOMENT } from './reads/questions.ts';
import { clientWrite, ENTRY_WRITES, projectWrite, WRITES } from './reads/writes.ts';

/** How many callers each organization has. */
const ORGANIZATIONS = [1, 1, 1, 1, 2];

/** Clients and projects at the beginning. */
const FURNISHINGS = 3;

/** Only a search that has found a difference waits, to tell what is late from what is wrong. */
const MOMENT_MILLISECONDS = 2_000;

/**
 * Reads that follow writes at once. Whatever is asked has to be what plain maps in memory say, in content and in number: nothing that was
 * answered before is missing, old or there twice. Several organizations are at work side by side; in one of them two callers write to
 * different entries at the same moment, and each then reads while the other may still be writing.
 *
 * @param newcomer the first caller of an organization that has nothing, unless the search itself is put to the test
 */
export async function searchReads(count: number, seed: number, newcomer: () => Promise<User> = () => given.user()) {
  const judge = new Judge();
  const opening = ORGANIZATIONS.map(async (callers, number) => open(await newcomer(), callers, seed + 10 * number));
  const offices = await Promise.all(opening);
  const { findings } = judge;
  const working = offices.map((desks) => work(desks, count / ORGANIZATIONS.length, judge));
  await Promise.all(working.map((each) => each.catch((error) => findings.blame(String(error)))));
  const { writes } = judge;
  const { outcomes, violations } = findings;
  return { writes, reads: findings.count - writes, outcomes, violations };
}

async function open(first: User, callers: number, seed: number): Promise<Desk[]> {
  const { organization } = first;
  const others = await Promise.all(Array.from({ length: callers - 1 }, () => given.user({ organization })));
  const { users } = await readDirectory(organization.id);
  const books = new Books(organization, users);
  const invoices = new Invoices(books);
  return [first, ...others].map((by, number) => new Desk(by, books, invoices, seed + number));
}

/** Until the first difference, from which others would follow. */
async function work(desks: readonly Desk[], count: number, judge: Judge): Promise<void> {
  const [first] = desks;
  if (!first) return;
  for (let i = 0; i < FURNISHINGS; i++) {
    for (const make of [clientWrite, projectWrite]) await judge.write(first, make(first));
  }
  for (let written = 0; written < count; written += desks.length) {
    const isRight = desks.length === 1 ? await workAlone(first, judge) : await workAtOnce(desks, judge);
    if (!isRight) return;
  }
}

/** @returns whether all answers were those of the books */
async function workAlone(desk: Desk, judge: Judge): Promise<boolean> {
  const isRight = await judge.write(desk, desk.dice.pick(WRITES)(desk));
  return isRight && judge.compare([await askAnything(desk)]);
}

/** All write, and each reads once its own write is answered; then all read what all have written. */
async function workAtOnce(desks: readonly Desk[], judge: Judge): Promise<boolean> {
  const answers = await Promise.all(
    desks.map(async (desk) => {
      const isRight = await judge.write(desk, desk.dice.pick(ENTRY_WRITES)(desk));
      return isRight ? desk.ask(desk.dice.pick(QUESTIONS_AT_ANY_MOMENT)(desk)) : undefined;
    }),
  );
  const asked = answers.filter((answer) => answer !== undefined);
  if (asked.length < desks.length || !(await judge.compare(asked))) return false;
  return judge.compare(await Promise.all(desks.map(askAnything)));
}

function askAnything(desk: Desk): Promise<Asked> {
  return desk.ask(desk.dice.pick(QUESTIONS)(desk));
}

class Judge {
  readonly findings = new Findings();
  writes = 0;

  /** @returns whether the answer is that of the books */
  async write(desk: Desk, write: Parameters<Desk['write']>[0]): Promise<boolean> {
    const { endpoint, id = '', body } = write;
    const { reply, difference } = await desk.write(write);
    this.writes += 1;
    this.#count(endpoint.operationId, reply);
    const what = `${endpoint.operationId} ${id} ${JSON.stringify(body)}`;
    if (difference) this.findings.blame(`The ${this.writes}th write, ${what}: ${difference}`);
    return difference === undefined;
  }

  /** @param answers that came at the same moment @returns whether they are those of the books */
  async compare(answers: readonly Asked[]): Promise<boolean> {
    const violations = await Promise.all(answers.map((asked) => this.#violationOf(asked)));
    const found = violations.filter((violation) => violation !== undefined);
    for (const violation of found) this.findings.blame(violation);
    return found.length === 0;
  }

  /** A write of another caller that is under way may be seen or not. */
  async #violationOf({ question, desk, before, reply }: Asked): Promise<string | undefined> {
    const { endpoint, answer, tidy, ...sent } = question;
    this.#count(endpoint.operationId, reply);
    const difference = differenceOf(outcomeOf(answer), reply, tidy);
    if (difference === undefined || differenceOf(before, reply, tidy) === undefined) return undefined;
    await sleep(MOMENT_MILLISECONDS);
    const later = await desk.ask(question);
    const isLate = differenceOf(later.before, later.reply, tidy) === undefined;
    const what = `${endpoint.operationId} ${JSON.stringify(sent)}`;
    const when = isLate ? 'which is right a moment later' : 'a moment later too';
    return `After the ${this.writes}th write, ${what}: ${difference}, ${when}`;
  }

  #count(operationId: string, { code = '' }: { readonly code?: string }): void {
    this.findings.countOutcome(`${operationId} ${code}`.trim());
  }
}
