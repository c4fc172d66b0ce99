import { describe, expect, it } from 'vitest';
import { prefersCsv } from '#shared/http/accept.ts';

describe('a client', () => {
  it.each([
    'text/csv',
    'TEXT/CSV',
    'text/csv; charset=utf-8',
    'text/csv, */*',
    'application/json;q=0.5, text/csv',
    'text/csv;q=0.9,application/json;q=0.8',
    'text/csv; q=0.001',
    'text/*',
    'text/*, application/json;q=0.9',
    'text/csv, application/json;q=x',
    'application/*;q=0.2, text/csv;q=0.3',
  ])('that accepts "%s" gets CSV', (accept) => expect(prefersCsv(accept)).toBe(true));

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'application/json, text/csv',
    'text/csv, application/json',
    'text/csv;q=0',
    'text/csv;q=0.5, application/json',
    'text/csv;q=0.5, */*',
    'text/csv;q=0, text/*',
    'text/*;q=0.4, application/json;q=0.5',
    'text/csv;q=x',
    'image/png',
    'text/csvx',
    ',;q=1,,',
  ])('that accepts "%s" gets JSON', (accept) => expect(prefersCsv(accept)).toBe(false));
});
