import * as v from 'valibot';
import type { Body } from '#shared/contract/endpoint.ts';
import type { startTimer } from '#shared/contract/tracker/start-timer.ts';
import type { stopTimer } from '#shared/contract/tracker/stop-timer.ts';
import { session as sessionSchema } from '#shared/contract/tracker/timer.ts';
import type { updateTimer } from '#shared/contract/tracker/update-timer.ts';
import { Problem } from '#shared/domain/problems.ts';
import { newSession, presentSession, reviseSession, type Session } from '#shared/domain/tracker/timer.ts';
import { discardSession, stopSession } from '#shared/domain/tracker/timer-end.ts';
import { type Books, found, type Told } from './books.ts';

/**
 * The timers of a user. A session keeps its links: the entry that it books has the name of a client that was deleted
 * meanwhile.
 */
export class Timers {
  readonly #books: Books;
  readonly #userId: string;
  readonly sessions = new Map<string, Session>();

  constructor(books: Books, userId: string) {
    this.#books = books;
    this.#userId = userId;
  }

  start(body: Body<typeof startTimer>, { id, at }: Told): unknown {
    const session = newSession(body, this.#books.links(), this.#books.ownerOf(this.#userId), id, at);
    if (this.running) throw new Problem('timer_already_running', { detail: 'It is so.' });
    return this.#keep(session);
  }

  change(id: string, body: Body<typeof updateTimer>, at: Date): unknown {
    return this.#keep(reviseSession(this.#demandRunning(id), body, this.#books.links(), at));
  }

  /** @param told of the entry that it books, if it books one */
  stop(id: string, body: Body<typeof stopTimer>, told: Told): unknown {
    const running = this.#demandRunning(id);
    const { session, entry } = stopSession(running, body, this.#books.links(), told.id, told.at);
    const workEntry = entry && this.#books.keepEntry(entry);
    return { session: this.#keep(session), workEntry, durationMinutes: session.durationMinutes };
  }

  discard(id: string, at: Date): unknown {
    return this.#keep(discardSession(this.#demandRunning(id), at));
  }

  get running(): Session | undefined {
    return [...this.sessions.values()].find(({ status }) => status === 'running');
  }

  #demandRunning(id: string): Session {
    const session = found(this.sessions, id);
    if (session.status !== 'running') throw new Problem('timer_not_running', { detail: 'It is so.' });
    return session;
  }

  #keep(session: Session): unknown {
    this.sessions.set(session.id, session);
    return this.show(session);
  }

  show(session: Session): unknown {
    return v.parse(sessionSchema, presentSession(session, this.#books.links()));
  }
}
