import { describe, expect, it } from 'vitest';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import {
  newSession,
  presentSession,
  reviseSession,
  type SessionChanges,
  type SessionDraft,
  type TimerLinks,
} from '#shared/domain/tracker/timer.ts';
import { endSession, presentStopped, stopSession } from '#shared/domain/tracker/timer-end.ts';
import { NO_LINKS } from '#test/support/no-links.ts';
import { missingAt, problem, refused } from '#test/support/refusals.ts';

const owner = { organizationId: 'org', userId: 'ana', currency: 'USD' };
const startedAt = new Date('2026-11-20T23:30:00.000Z');
const plus = (milliseconds: number) => new Date(startedAt.getTime() + milliseconds);
const project = { id: 'p', name: 'Site', clientId: 'c', defaultRate: '80', currency: 'EUR', billable: false };
const everything: TimerLinks = {
  ...NO_LINKS,
  projects: new Map([['p', project]]),
  clients: new Map([
    ['c', { name: 'Acme' }],
    ['d', { name: 'Globex' }],
  ]),
};

const started = (draft: Partial<SessionDraft> = {}, links = everything) =>
  newSession({ description: '', ...draft }, links, owner, 'id', startedAt);
const stopped = (draft: Partial<SessionDraft>, links: TimerLinks, now = plus(60_000)) =>
  stopSession(started(draft), { createWorkEntry: true }, links, 'entry', now);

/** What a session takes from the project. */
const linked = { projectId: 'p', clientId: 'c', clientName: 'Acme', billable: false, rate: '80', currency: 'EUR' };

describe('a new session', () => {
  it('runs from now on, billable, without a price, links and tags', () => {
    const at = startedAt.toISOString();
    expect(started()).toEqual({
      id: 'id',
      organizationId: 'org',
      userId: 'ana',
      status: 'running',
      description: '',
      clientId: null,
      clientName: null,
      projectId: null,
      billable: true,
      rate: null,
      currency: 'USD',
      tags: [],
      startedAt: at,
      stoppedAt: null,
      durationMinutes: null,
      workEntryId: null,
      createdAt: at,
      updatedAt: at,
    });
  });

  it('takes from its project whether it is billable, rate, currency and client', () => {
    expect(started({ projectId: 'p' })).toEqual({ ...started(), ...linked });
  });

  it('refuses the client of another project, and what does not exist', () => {
    expect(() => started({ projectId: 'p', clientId: 'd' })).toThrow(problem('client_mismatch'));
    for (const path of ['projectId', 'clientId']) expect(() => started({ [path]: 'x' })).toThrow(missingAt(path));
  });
});

describe('a changed session', () => {
  const changed = (changes: SessionChanges, links = everything) =>
    reviseSession(started({ clientId: 'd' }), changes, links, plus(60_000));

  it('has what is said of it, and stays as it was in all else', () => {
    const named = { description: 'Call', billable: false, rate: '5', tags: ['Design'] };
    const updatedAt = plus(60_000).toISOString();
    expect(changed(named)).toEqual({ ...started({ clientId: 'd' }), ...named, updatedAt });
    expect(changed({ projectId: 'p' })).toEqual({ ...started(), ...linked, updatedAt });
  });

  it('keeps its price and its client without a project', () => {
    const running = started({ projectId: 'p' });
    const { updatedAt: _, ...kept } = running;
    expect(reviseSession(running, { projectId: null }, everything, plus(1))).toMatchObject({
      ...kept,
      projectId: null,
    });
  });

  it('is the same where nothing differs, also if its project was deleted', () => {
    const running = started({ projectId: 'p' });
    expect(
      reviseSession(
        running,
        { rate: running.rate, clientId: 'c' },
        { ...NO_LINKS, clients: everything.clients },
        plus(1),
      ),
    ).toBe(running);
    expect(reviseSession(running, { projectId: null, clientId: null }, NO_LINKS, plus(1))).toBe(running);
  });

  const refusedStart = refused(
    'invalid_time_range',
    'startedAt',
    'A timer starts at most 31 days back, and not ahead.',
  );

  it.each([
    ['31 days back', -44_640 * 60_000, true],
    ['a millisecond more', -44_640 * 60_000 - 1, false],
    ['a minute ahead, as a clock may be', 60_000, true],
    ['a millisecond further ahead', 60_001, false],
  ])('may have started %s', (_, milliseconds, isAllowed) => {
    const start = () => reviseSession(started(), { startedAt: plus(milliseconds) }, everything, startedAt).startedAt;
    if (isAllowed) expect(start()).toBe(plus(milliseconds).toISOString());
    else expect(start).toThrow(refusedStart);
  });

  it('loses its client, and takes none but that of its project', () => {
    expect(changed({ clientId: null })).toMatchObject({ clientId: null, clientName: null });
    const other = () => reviseSession(started({ projectId: 'p' }), { clientId: 'd' }, everything, plus(1));
    expect(other).toThrow(problem('client_mismatch'));
  });

  it('does not check a link that stays', () => {
    const moved = { ...everything, projects: new Map([['p', { ...project, clientId: 'd' }]]) };
    expect(reviseSession(started({ projectId: 'p' }), { rate: '1' }, moved, startedAt).clientId).toBe('c');
  });
});

describe('an ended session', () => {
  it('has what the stop says of it, and stays as it was in all else', () => {
    const stoppedAt = plus(90_000).toISOString();
    const ended = { stoppedAt, durationMinutes: 2, updatedAt: stoppedAt };
    expect(endSession(started(), 'discarded', plus(90_000))).toEqual({ ...started(), ...ended, status: 'discarded' });
    const said = { description: 'Call', billable: false, rate: '5' };
    const stop = (how: object) =>
      stopSession(started(), { createWorkEntry: false, ...how }, NO_LINKS, 'entry', plus(90_000));
    const session = { ...started(), ...ended, status: 'stopped' };
    expect(stop({})).toEqual({ session, entry: null });
    expect(stop(said)).toEqual({ session: { ...session, ...said }, entry: null });
    expect(stop({ rate: null }).session.rate).toBeNull();
  });

  it('counts at most a year', () => {
    const year = 525_600 * 60_000;
    expect(endSession(started(), 'discarded', plus(year + 1)).durationMinutes).toBe(525_600);
  });

  it('never ends before its start, also where clocks disagree', () => {
    expect(endSession(started(), 'discarded', plus(-500))).toMatchObject({
      stoppedAt: startedAt.toISOString(),
      durationMinutes: 1,
    });
  });
});

describe('the entry of a stop', () => {
  it('is on the date of the start and in the same words, minutes and price as the session', () => {
    const { session, entry } = stopped(
      { description: 'Call', rate: '0', tags: ['Design'] },
      everything,
      plus(45 * 60_000),
    );
    const work = { description: 'Call', durationMinutes: 45, billable: true, rate: '0', tags: ['Design'] };
    const typedIn = newEntry({ ...work, entryDate: '2026-11-20' }, null, owner, 'entry', plus(45 * 60_000));
    const clockTimes = { startedAt: session.startedAt, endedAt: '2026-11-21T00:15:00.000Z' };
    expect(entry).toEqual({ ...typedIn, ...clockTimes, timerSessionId: session.id });
    expect(session).toMatchObject({ workEntryId: 'entry', durationMinutes: 45 });
  });

  it('is named by its project where it has no words, and billed by the rule of its organization or project', () => {
    const by = (minutes: 15 | 20) => ({ rounding: { minutes, mode: 'up', minimumMinutes: 0 } as const });
    const ruled = { ...everything, projects: new Map([['p', { ...project, ...by(20), name: 'Site' }]]), ...by(15) };
    const stop = (draft: Partial<SessionDraft>) => stopped({ description: ' ', billable: true, ...draft }, ruled).entry;
    expect(stop({})).toMatchObject({ description: 'Tracked time', durationMinutes: 1, billedMinutes: 15 });
    expect(stop({ projectId: 'p' })).toMatchObject({ description: 'Site', durationMinutes: 1, billedMinutes: 20 });
  });

  it('carries no label beside a link to a client', () => {
    expect(stopped({ clientId: 'd' }, everything).entry).toMatchObject({ clientId: 'd', clientLabel: null });
  });

  it('keeps the last name of a client that is being deleted, and the first of one that is long gone', () => {
    const going = { ...NO_LINKS, deletedNames: new Map([['d', 'Globex Ltd']]) };
    expect(stopped({ clientId: 'd' }, going).entry).toMatchObject({ clientId: null, clientLabel: 'Globex Ltd' });
    expect(stopped({ clientId: 'd' }, NO_LINKS).entry).toMatchObject({ clientId: null, clientLabel: 'Globex' });
  });

  it('is answered beside its session, and as open, whatever was closed when the links were read', () => {
    const ended = stopped({ description: 'Call' }, NO_LINKS);
    const closed = { ...NO_LINKS, lockedThrough: '2026-12-31' };
    const session = presentSession(ended.session, NO_LINKS);
    const workEntry = ended.entry && presentEntry(ended.entry, NO_LINKS);
    expect(presentStopped(ended, closed)).toEqual({ session, workEntry, durationMinutes: 1 });
    expect(presentStopped({ ...ended, entry: null }, closed).workEntry).toBeNull();
  });
});

describe('a shown session', () => {
  it('has the links that exist and no others', () => {
    const session = started({ projectId: 'p' });
    expect(presentSession(session, everything)).toMatchObject({
      projectId: 'p',
      projectName: 'Site',
      clientId: 'c',
      clientName: 'Acme',
    });
    expect(presentSession(session, NO_LINKS)).toMatchObject({
      projectId: null,
      projectName: null,
      clientId: null,
      clientName: null,
    });
  });
});
