import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import { pathTo } from '#test/support/resources.ts';
import { call } from '../caller.ts';
import { Dice } from '../dice.ts';
import { differenceOf, outcomeOf } from './answers.ts';
import type { Books, Told } from './books.ts';
import type { Write } from './entry-writes.ts';
import type { Imports } from './imports.ts';
import type { Invoices } from './invoices.ts';
import type { Question } from './questions.ts';
import { Timers } from './timers.ts';

/** A caller, who writes to the service and to the books alike, and asks the service what the books know. */

/** Callers of one organization share it. */
export interface Office {
  readonly account: RemoteAccount;
  readonly books: Books;
  readonly imports: Imports;
  readonly invoices: Invoices;
  readonly deletedEntries: string[];
}

interface Written {
  readonly reply: Json;
  readonly difference: string | undefined;
}

export interface Asked {
  readonly desk: Desk;
  readonly question: Question;
  /** By the books, when the question was put. */
  readonly before: Json;
  readonly reply: Json;
}

export class Desk implements Office {
  readonly by: User;
  readonly userId: string;
  readonly dice: Dice;
  readonly timers: Timers;
  readonly account: RemoteAccount;
  readonly books: Books;
  readonly imports: Imports;
  readonly invoices: Invoices;
  readonly deletedEntries: string[];

  constructor(by: User, office: Office, seed: number) {
    this.by = by;
    this.userId = by.userId;
    this.dice = new Dice(seed);
    this.timers = new Timers(office.books, by.userId);
    this.account = office.account;
    this.books = office.books;
    this.imports = office.imports;
    this.invoices = office.invoices;
    this.deletedEntries = office.deletedEntries;
  }

  /** Writes to both. @returns what the service answers, and what is otherwise in the books */
  async write({ endpoint, body, effect, prepare, ...write }: Write): Promise<Written> {
    await prepare?.();
    const sent = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
    const reply = await this.#send({ endpoint, body: sent, ...write });
    const parsed = endpoint.body && v.parse(endpoint.body, sent ?? {});
    const data = reply.data ?? {};
    const expected = outcomeOf(() => {
      const shown = effect(toldBy(data), parsed, data);
      return shown === undefined ? { success: true, id: write.id } : { data: shown };
    });
    return { reply, difference: differenceOf(expected, reply) };
  }

  async ask(question: Question): Promise<Asked> {
    const before = outcomeOf(question.answer);
    return { desk: this, question, before, reply: await this.#send(question) };
  }

  async #send({ endpoint, id, query, body }: Pick<Question, 'endpoint' | 'id' | 'query' | 'body'>): Promise<Json> {
    const rawBody = body === undefined ? undefined : JSON.stringify(body);
    const path = pathTo(endpoint.path, id ?? '');
    const { status, text } = await call(this.by.apiKey, { method: endpoint.method, path, query, rawBody });
    const answer = JSON.parse(text);
    return status < 400 ? answer : { code: answer.code };
  }
}

/**
 * The id of an import tells when it has begun. What was refused tells nothing, and should not have been asked for it.
 */
function toldBy({ id, updatedAt, session, importJobId }: Json): Told {
  if (importJobId) return { id: importJobId, at: timeOf(importJobId) };
  return { id: id ?? randomUUID(), at: new Date(session?.updatedAt ?? updatedAt ?? 0) };
}

/** @param id UUID of version 7 */
function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}
