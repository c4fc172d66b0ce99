import { describe, expect, it } from 'vitest';
import { newSession, presentSession, type SessionDraft, type TimerLinks } from '#shared/domain/tracker/timer.ts';
import { discardSession, stopSession } from '#shared/domain/tracker/timer-end.ts';

const owner = { organizationId: 'org', userId: 'ana', currency: 'USD' };
const startedAt = new Date('2026-11-20T23:30:00.000Z');
const plus = (milliseconds: number) => new Date(startedAt.getTime() + milliseconds);
const project = { id: 'p', name: 'Site', clientId: 'c', defaultRate: '80', currency: 'EUR', billable: false };
const nothing: TimerLinks = {
  projects: new Map(),
  clients: new Map(),
  deletedNames: new Map(),
  users: new Map(),
  holds: new Map(),
};
const everything: TimerLinks = {
  ...nothing,
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

describe('a new session', () => {
  it('takes from its project whether it is billable, rate, currency and client', () => {
    expect(started({ projectId: 'p' })).toMatchObject({
      billable: false,
      rate: '80',
      currency: 'EUR',
      clientId: 'c',
      clientName: 'Acme',
    });
  });

  it('refuses the client of another project, and what does not exist', () => {
    const problem = (code: string) => expect.objectContaining({ code });
    expect(() => started({ projectId: 'p', clientId: 'd' })).toThrow(problem('client_mismatch'));
    expect(() => started({ projectId: 'x' })).toThrow(problem('reference_not_found'));
    expect(() => started({ clientId: 'x' })).toThrow(problem('reference_not_found'));
  });
});

describe('an ended session', () => {
  it('counts at most a year, whichever way it ends', () => {
    const year = 525_600 * 60_000;
    expect(discardSession(started(), plus(year)).durationMinutes).toBe(525_600);
    expect(discardSession(started(), plus(year + 1)).durationMinutes).toBe(525_600);
    expect(stopped({}, everything, plus(2 * year)).entry?.durationMinutes).toBe(525_600);
  });

  it('never ends before its start, also where clocks disagree', () => {
    expect(discardSession(started(), plus(-500))).toMatchObject({
      stoppedAt: startedAt.toISOString(),
      durationMinutes: 1,
    });
  });
});

describe('the entry of a stop', () => {
  it('is on the date of the start and in the same words, minutes and price as the session', () => {
    const { session, entry } = stopped({ description: 'Call', rate: '0' }, everything, plus(45 * 60_000));
    expect(entry).toMatchObject({
      entryDate: '2026-11-20',
      startedAt: session.startedAt,
      endedAt: '2026-11-21T00:15:00.000Z',
      description: 'Call',
      durationMinutes: 45,
      rate: '0',
      timerSessionId: session.id,
      source: 'native_tracker',
    });
    expect(session).toMatchObject({ workEntryId: 'entry', durationMinutes: 45 });
  });

  it('carries no label beside a link to a client', () => {
    expect(stopped({ clientId: 'd' }, everything).entry).toMatchObject({ clientId: 'd', clientLabel: null });
  });

  it('keeps the last name of a client that is being deleted, and the first of one that is long gone', () => {
    const going = { ...nothing, deletedNames: new Map([['d', 'Globex Ltd']]) };
    expect(stopped({ clientId: 'd' }, going).entry).toMatchObject({ clientId: null, clientLabel: 'Globex Ltd' });
    expect(stopped({ clientId: 'd' }, nothing).entry).toMatchObject({ clientId: null, clientLabel: 'Globex' });
  });

  it('has neither link nor name of a project that is gone', () => {
    expect(stopped({ projectId: 'p' }, nothing).entry).toMatchObject({
      projectId: null,
      description: 'Tracked time',
      rate: '80',
      currency: 'EUR',
    });
  });
});

describe('a shown session', () => {
  it('has the links that exist and no others', () => {
    const session = started({ projectId: 'p' });
    expect(presentSession(session, everything)).toMatchObject({ projectId: 'p', clientId: 'c' });
    expect(presentSession(session, nothing)).toMatchObject({ projectId: null, clientId: null });
  });
});
