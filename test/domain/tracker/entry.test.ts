import { describe, expect, it } from 'vitest';
import { assertNotInvoiced, type Entry, newEntry, reviseEntry, withMetadata } from '#shared/domain/tracker/entry.ts';
import type { Holds } from '#shared/domain/tracker/hold.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { type ProjectTerms, priceOf } from '#shared/domain/tracker/project-terms.ts';
import { NO_LINKS } from '#test/support/no-links.ts';
import { problem } from '#test/support/refusals.ts';

const owner = { organizationId: 'org', userId: 'ana', currency: 'USD' };
const now = new Date('2026-11-20T12:00:00.000Z');
const later = new Date('2026-11-21T12:00:00.000Z');
const draft = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20', billable: true };
const project: ProjectTerms = { id: 'p', clientId: 'c', defaultRate: '80', currency: 'EUR' };
const clientless: ProjectTerms = { ...project, clientId: null };
const noLinks = { ...NO_LINKS, users: new Map([['ana', { name: 'Ana' }]]) };

const made = (more: Partial<Parameters<typeof newEntry>[0]> = {}, of: ProjectTerms | null = null) =>
  newEntry({ ...draft, ...more }, of, owner, 'id', now);
const revised = (entry: Entry, changes: Parameters<typeof reviseEntry>[1], of: ProjectTerms | null = null) =>
  reviseEntry(entry, changes, of, later);

describe('a new entry', () => {
  it('is of whoever makes it, free, without clock times, links and tags, and all of it is billed', () => {
    expect(made()).toEqual({
      id: 'id',
      organizationId: 'org',
      userId: 'ana',
      description: 'Work',
      entryDate: '2026-11-20',
      startedAt: null,
      endedAt: null,
      durationMinutes: 60,
      billedMinutes: 60,
      billable: true,
      rate: null,
      currency: 'USD',
      source: 'native_tracker',
      timerSessionId: null,
      clientId: null,
      clientLabel: null,
      projectId: null,
      tags: [],
      holdId: null,
      imported: null,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    });
    expect(made({ userId: 'ben', tags: ['Design'] })).toEqual({ ...made(), userId: 'ben', tags: ['Design'] });
  });

  it('that ends when it has begun ends on the next day', () => {
    expect(made({ startTime: '09:00', endTime: '09:00' }).endedAt).toBe('2026-11-21T09:00:00.000Z');
  });

  it('takes rate, currency and client from its project', () => {
    expect(made({}, project)).toMatchObject({ rate: '80', currency: 'EUR', clientId: 'c', projectId: 'p' });
  });

  it('takes no rate of another currency than its own', () => {
    expect(made({ currency: 'JPY' }, project)).toMatchObject({ rate: null, currency: 'JPY' });
    expect(priceOf({ currency: 'EUR' }, project, 'USD', 'u')).toEqual({ rate: '80', currency: 'EUR' });
  });

  it('refuses a project of another client, but not being unlinked from the client', () => {
    expect(() => made({ clientId: 'other' }, project)).toThrow(problem('client_mismatch'));
    expect(made({ clientId: null }, project).clientId).toBeNull();
    expect(made({ clientId: 'other' }, clientless).clientId).toBe('other');
  });
});

describe('a changed entry', () => {
  const origin = { jobId: 'j', accountId: 'a', externalId: null, content: '', isEdited: false, userLabel: null };
  const imported: Entry = { ...made(), imported: origin };

  it('is the same where nothing differs: so an imported one is not edited', () => {
    expect(revised(imported, draft)).toBe(imported);
    const edited = { description: 'Other', imported: { isEdited: true }, updatedAt: later.toISOString() };
    expect(revised(imported, { description: 'Other' })).toMatchObject(edited);
  });

  it('has what is said of it, and stays as it was in all else', () => {
    const named = { userId: 'ben', description: 'Call', rate: '5', currency: 'JPY', clientId: 'c', tags: ['Design'] };
    const edited = { ...imported, imported: { ...origin, isEdited: true }, updatedAt: later.toISOString() };
    expect(revised(imported, named)).toEqual({ ...edited, ...named });
    expect(revised(imported, { billable: false })).toEqual({ ...edited, billable: false });
  });

  it('keeps its client, also where its project has moved to another, but takes no other than that of its project', () => {
    const linked = made({}, project);
    const moved = { ...project, clientId: 'other' };
    expect(revised(made({ clientId: 'c' }), { description: 'Call' }).clientId).toBe('c');
    expect(revised(linked, { description: 'Call' }, moved).clientId).toBe('c');
    expect(() => revised(linked, { clientId: 'other' }, project)).toThrow(problem('client_mismatch'));
  });

  it('keeps the name of a client that is gone until it has another client', () => {
    const labelled = { ...made(), clientLabel: 'Globex' };
    expect(revised(labelled, { description: 'Call' }).clientLabel).toBe('Globex');
    expect(revised(labelled, { clientId: null })).toBe(labelled);
    expect(revised(labelled, { clientId: 'c' })).toMatchObject({ clientId: 'c', clientLabel: null });
  });

  it('keeps what was billed by hand as long as it is the same work', () => {
    const byHand = made({ billedMinutes: 75 });
    const billed = (changes: Parameters<typeof reviseEntry>[1], of: ProjectTerms | null = null) =>
      revised(byHand, changes, of).billedMinutes;
    expect([billed({ description: 'Call', rate: '5' }), billed({ billedMinutes: 80 })]).toEqual([75, 80]);
    expect([billed({ durationMinutes: 61 }), billed({ billable: false }), billed({}, project)]).toEqual([61, 60, 60]);
    expect(billed({ billedMinutes: null })).toBe(60);
  });

  const timed = made({ startTime: '09:00', endTime: '10:00' });
  const dayLong = { startTime: '08:00', endTime: '18:00' };

  it.each([
    ['the span of new clock times', { startTime: '22:30', endTime: '01:00' }, '20T22:30', '21T01:00', 150],
    ['one that comes with clock times', { ...dayLong, durationMinutes: 480 }, '20T08:00', '20T18:00', 480],
    ['a new one, which moves its end', { durationMinutes: 90 }, '20T09:00', '20T10:30', 90],
  ])('has as its duration %s', (_, changes, start, end, durationMinutes) => {
    const [startedAt, endedAt] = [start, end].map((each) => `2026-11-${each}:00.000Z`);
    expect(revised(timed, changes)).toMatchObject({ startedAt, endedAt, durationMinutes });
  });

  it('keeps its break when it gets the duration that it has', () => {
    const withBreak = made({ startTime: '09:00', endTime: '17:00', durationMinutes: 400 });
    expect(revised(withBreak, { durationMinutes: 400, entryDate: '2026-11-21' }).endedAt).toBe(
      '2026-11-21T17:00:00.000Z',
    );
  });

  it('moves to another date also where a timer was stopped at the moment of its start', () => {
    const onDay = (day: string) => ({ startedAt: `${day}T09:00:00.000Z`, endedAt: `${day}T09:00:00.000Z` });
    const moved = revised({ ...made(), ...onDay('2026-11-20') }, { entryDate: '2026-11-21' });
    expect(moved).toMatchObject({ ...onDay('2026-11-21'), durationMinutes: 60 });
  });

  it('is not edited by other metadata, and knows whether it has some', () => {
    const facts = { po: '1' };
    const tagged = withMetadata(imported, {}, facts, later);
    expect(tagged).toEqual({ ...imported, hasMetadata: true, updatedAt: later.toISOString() });
    expect(withMetadata(tagged, facts, {}, later)).toEqual({ ...tagged, hasMetadata: false });
    expect(withMetadata(imported, facts, { ...facts }, later)).toBe(imported);
  });

  it('has no rate where it is explicitly without, also in a new project', () => {
    expect(revised(made({ rate: '50' }), { rate: null }).rate).toBeNull();
    expect(revised(made(), { rate: null }, project)).toMatchObject({ rate: null, currency: 'USD' });
    expect(made({ rate: null }, project)).toMatchObject({ rate: null, currency: 'EUR' });
  });

  it('keeps its frozen rate in a new project, takes the rate of it when it had none, and takes its client', () => {
    expect(revised(made({ rate: '50' }), {}, project)).toMatchObject({
      rate: '50',
      currency: 'USD',
      projectId: 'p',
      clientId: 'c',
    });
    expect(revised(made(), {}, project)).toMatchObject({ rate: '80', currency: 'EUR' });
    expect(revised(made(), { rate: '5' }, project)).toMatchObject({ rate: '5', currency: 'USD' });
    expect(() => revised(made(), { clientId: 'other' }, project)).toThrow(problem('client_mismatch'));
  });
});

describe('a shown entry', () => {
  it.each([
    [{ rate: '100' }, { amount: '100.00', billingStatus: 'unbilled' }],
    [
      { rate: '100', billable: false },
      { amount: '0.00', billingStatus: 'non_billable' },
    ],
    [{ durationMinutes: 90 }, { quantity: '1.5' }],
  ])('%o has %o', (values, expected) => {
    expect(presentEntry(made(values), noLinks)).toEqual({
      ...made(values),
      userName: 'Ana',
      userLabel: null,
      projectName: null,
      invoiceId: null,
      unit: 'hour',
      entryDate: '2026-11-20T00:00:00.000Z',
      isLocked: false,
      metadata: {},
      quantity: '1',
      amount: null,
      billingStatus: 'unbilled',
      ...expected,
    });
  });

  const held = { ...made(), holdId: 'h' };
  const holding = (except: readonly string[], id = 'h'): Holds =>
    new Map([[id, { id, invoiceId: 'i', except: new Set(except) }]]);

  it('has no name of a user that nobody knows any more, and a source that this version knows', () => {
    const later = { ...made(), source: 'of_a_later_version' };
    expect(presentEntry(later, NO_LINKS)).toMatchObject({ userName: '', source: 'native_tracker' });
  });

  it('is invoiced while the hold that it names exists and does not except it', () => {
    const shown = (holds: Holds) => presentEntry(held, { ...noLinks, holds });
    expect(shown(holding([]))).toMatchObject({ billingStatus: 'invoiced', invoiceId: 'i' });
    expect(shown(holding(['another']))).toMatchObject({ billingStatus: 'invoiced', invoiceId: 'i' });
    for (const holds of [holding([held.id]), holding([], 'another'), new Map()])
      expect(shown(holds)).toMatchObject({ billingStatus: 'unbilled', invoiceId: null });
  });

  it('is fixed while an invoice holds it', () => {
    const refused = expect.objectContaining({ code: 'entry_invoiced', message: 'The entry is on the invoice i.' });
    expect(() => assertNotInvoiced(held, holding([]))).toThrow(refused);
    expect(() => assertNotInvoiced(held, holding([held.id]))).not.toThrow();
  });

  it('shows the present name of its client, and no link to what was deleted', () => {
    const linked = made({}, project);
    const links = {
      ...noLinks,
      projects: new Map([['p', { name: 'Site' }]]),
      clients: new Map([['c', { name: 'Acme' }]]),
    };
    const shown = { projectId: 'p', projectName: 'Site', clientId: 'c', clientLabel: 'Acme' };
    expect(presentEntry(linked, links)).toMatchObject(shown);
    const gone = { ...noLinks, deletedNames: new Map([['c', 'Acme']]) };
    expect(presentEntry(linked, gone)).toMatchObject({ projectId: null, clientId: null, clientLabel: 'Acme' });
    expect(presentEntry(linked, noLinks)).toMatchObject({ clientId: null, clientLabel: null });
  });
});
