import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { pathTo } from '#test/support/resources.ts';
import { Dice } from '../dice.ts';
import { differenceOf, outcomeOf } from './answers.ts';
import type { Books, Told } from './books.ts';
import type { Write } from './entry-writes.ts';
import type { Invoices } from './invoices.ts';
import type { Question } from './questions.ts';

/** A caller, who writes to the service and to the books alike, and asks the service what the books know. */

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

export class Desk {
  readonly by: User;
  readonly userId: string;
  readonly dice: Dice;
  /** Callers of one organization share them. */
  readonly books: Books;
  readonly invoices: Invoices;

  constructor(by: User, books: Books, invoices: Invoices, seed: number) {
    this.by = by;
    this.userId = by.userId;
    this.dice = new Dice(seed);
    this.books = books;
    this.invoices = invoices;
  }

  /** Writes to both. @returns what the service answers, and what is otherwise in the books */
  async write({ endpoint, body, effect, ...write }: Write): Promise<Written> {
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
    const reply = await this.by.send(endpoint.method, pathTo(endpoint.path, id ?? ''), { query, body });
    return reply.status < 400 ? reply.body : { code: reply.body.code };
  }
}

/** What was refused tells nothing, and should not have been asked for it. */
function toldBy({ id, updatedAt }: Json): Told {
  return { id: id ?? randomUUID(), at: new Date(updatedAt ?? 0) };
}
