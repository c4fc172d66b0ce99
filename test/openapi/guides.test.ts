import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Endpoint, parameterNames, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { type GuideRequest, guides, guideText } from '#shared/openapi/guides.ts';
import { introduction } from '#shared/openapi/introduction.ts';
import { routes } from '#shared/routes.ts';

const requests = guides.flatMap(({ title, steps }) =>
  steps.flatMap(({ request }) =>
    request ? [{ name: `${title}: ${request.endpoint.method} ${request.endpoint.path}`, request }] : [],
  ),
);

const membersOf = (schema: Endpoint['body']) => Object.keys((schema && 'entries' in schema && schema.entries) || {});

describe('the guides', () => {
  it('are in the introduction of the reference, in short sentences', () => {
    expect(guides.map(({ title }) => title)).toHaveLength(5);
    for (const guide of guides) {
      expect(introduction()).toContain(guideText(guide));
      for (const { text } of guide.steps)
        for (const sentence of text.split(/[.:] /)) expect(sentence.split(' ').length, sentence).toBeLessThan(20);
    }
  });

  it.each(requests)('ask only what the contract takes: $name', ({ request }: { readonly request: GuideRequest }) => {
    const { endpoint, id, query = {}, headers = {}, body } = request;
    expect(routes).toContain(endpoint);
    expect(parameterNames(endpoint.path)).toEqual(id === undefined ? [] : ['id']);
    expect(membersOf(endpoint.query)).toEqual(expect.arrayContaining(Object.keys(query)));
    expect('Idempotency-Key' in headers && !takesIdempotencyKey(endpoint)).toBe(false);
    if (!endpoint.body || (body === undefined && endpoint.bodyOptional)) return;
    expect(v.safeParse(endpoint.body, body).issues).toBeUndefined();
    expect(membersOf(endpoint.body)).toEqual(expect.arrayContaining(Object.keys(v.parse(v.looseObject({}), body))));
  });
});
