import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { ignoredNames } from '#shared/http/ignored.ts';

const taking = defineEndpoint({
  operationId: 'createThing',
  method: 'POST',
  path: '/things',
  area: 'meta',
  summary: 'Create a thing',
  scope: null,
  query: v.object({ dryRun: v.optional(v.boolean()) }),
  body: v.pipe(v.object({ name: v.string() }), v.title('Thing')),
  response: { kind: 'resource', status: 201, schema: v.object({ id: v.string(), name: v.string() }) },
  example: {},
});

const { body: _, query: __, ...bare } = taking;

const members = { id: v.string(), name: v.string(), tags: v.array(v.string()), owner: v.looseObject({}) };

const patching = defineEndpoint({
  ...taking,
  method: 'PATCH',
  response: { kind: 'resource', status: 200, schema: v.object(members) },
});

describe('the ignored names', () => {
  it.each([
    ['nothing unknown', { dryRun: 'true' }, { name: 'x' }, undefined],
    [
      'unknown parameters, then unknown members',
      { page: '2' },
      { emial: 1, nmae: 2 },
      'query.page, body.emial, body.nmae',
    ],
    ['no member that only the service sets', {}, { id: 'x', name: 'x' }, undefined],
    ['no member inside of another', {}, { name: { first: 'x' } }, undefined],
    ['members with names of Object.prototype', {}, { constructor: 1 }, 'body.constructor'],
    ['signs that a header cannot hold, percent-encoded', { 'a, b\n': '' }, { ü: 1 }, 'query.a%2C%20b%0A, body.%C3%BC'],
    ['an empty name', { '': '' }, {}, 'query.'],
    ['a lone surrogate as U+FFFD', {}, { '\ud83d!': 1 }, 'body.%EF%BF%BD!'],
    ['40 characters, none of them cut in two', {}, { ['😀'.repeat(41)]: 1 }, `body.${'%F0%9F%98%80'.repeat(40)}`],
    ['no position of a list', {}, ['x'], undefined],
    ['nothing of no body', {}, undefined, undefined],
    ['nothing of a body that is null', {}, null, undefined],
  ])('are %s', (_, query, body, expected) => {
    expect(ignoredNames(taking, query, body)).toBe(expected);
  });

  it('are ten at most', () => {
    const members = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`m${at}`, 1]));
    expect(ignoredNames(taking, { page: '1' }, members)).toBe(
      'query.page, body.m0, body.m1, body.m2, body.m3, body.m4, body.m5, body.m6, body.m7, body.m8',
    );
  });

  it.each([
    ['with another value', { id: 'y', tags: ['a'], nmae: 1 }, 'body.nmae, body.id'],
    ['with the same value, in any order of members', { id: 'x', tags: ['a'], owner: { b: 2, a: 1 } }, undefined],
    ['with a value of another type or order', { tags: ['b', 'a'], owner: null }, 'body.tags, body.owner'],
  ])('of a PATCH are what only the service sets, %s', (_, body, expected) => {
    const before = { id: 'x', name: 'n', tags: ['a'], owner: { a: 1, b: 2 } };
    expect(ignoredNames(patching, {}, body, before)).toBe(expected);
  });

  it('are all, where an operation takes no parameter and no body', () => {
    expect(ignoredNames(bare, { dryRun: '' }, { id: 'x', name: 'x' })).toBe('query.dryRun, body.id, body.name');
  });
});
