import { describe, expect, it } from 'vitest';
import { beingUpdated, faulty, kindsOf, overloaded, Problem, unauthenticated } from '#shared/domain/problems.ts';

const violation = (path: string) => ({ path, message: 'Expected a date.', code: 'date' });

describe('a problem', () => {
  it.each([
    [[violation('rows.3.date')] as const, undefined, 'rows.3.date: Expected a date.'],
    [[violation('')] as const, undefined, 'Expected a date.'],
    [[violation('a'), violation('b')] as const, undefined, 'a: Expected a date. There are 2 faults in all.'],
    [[violation('a')] as const, 'more than 100', 'a: Expected a date. There are more than 100 faults in all.'],
  ])('says its first fault, and how many there are: %#', (errors, count, detail) => {
    expect(faulty('validation_failed', errors, count)).toMatchObject({ details: { detail, errors } });
  });

  it('is of one kind, or of two', () => {
    expect(kindsOf('not_found')).toEqual(['not_found']);
    expect(kindsOf('remote_unavailable')).toEqual(['bad_gateway', 'unavailable']);
  });

  it('says how to come in, and when to come again', () => {
    expect(unauthenticated().details.headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
    expect(overloaded().details.headers).toEqual({ 'Retry-After': '1' });
    expect(beingUpdated().details.headers).toEqual({ 'Retry-After': '60' });
  });

  it('is named as such in a log', () => {
    expect(String(new Problem('not_found', { detail: 'There is none.' }))).toBe('Problem: There is none.');
  });

  it('is known as one, whichever copy of the module made it, and nothing else is', () => {
    const foreign = Object.assign(new Error('From another copy'), { [Symbol.for('billwright.Problem')]: true });
    expect([foreign, unauthenticated()].every((error) => error instanceof Problem)).toBe(true);
    expect([new Error('Other'), null, 'text', undefined].some((error) => error instanceof Problem)).toBe(false);
  });
});
