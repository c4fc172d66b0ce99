import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { text, uuid } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { schemaRegistry } from '#shared/openapi/schemas.ts';

const named = v.pipe(v.object({ id: uuid, note: v.nullable(text(0, 10)) }), v.title('Named'));

describe('the JSON Schema of a contract schema', () => {
  it('tells what a component means once, and what one use of it means there', () => {
    const part = v.pipe(v.object({ id: uuid }), v.description('A part.'), v.title('Part'));
    const { ofOutput, components } = schemaRegistry([]);
    const schema = ofOutput(v.object({ first: part, last: described(part, 'The last one.') }));
    expect(schema.properties).toEqual({
      first: { $ref: '#/components/schemas/Part' },
      last: { $ref: '#/components/schemas/Part', description: 'The last one.' },
    });
    expect(components().Part).toMatchObject({ description: 'A part.' });
  });

  it('tells the defaults of a named body in words, so that no generated type asks for the member', () => {
    const body = v.object({ unit: described(v.optional(text(0, 10), ''), 'What is counted.') });
    const { ofInput, components } = schemaRegistry([]);
    expect(ofInput(v.pipe(body, v.title('Body')))).toEqual({ $ref: '#/components/schemas/Body' });
    const unit = { type: 'string', maxLength: 10, description: 'What is counted. By default `""`.' };
    expect(components().Body).toMatchObject({ properties: { unit } });
    expect(components().Body).not.toHaveProperty('properties.unit.default');
  });

  it('refuses one title for two responses', () => {
    const other = v.pipe(v.object({ id: v.number() }), v.title('Named'));
    expect(() => schemaRegistry([named, other])).toThrow('Two different schemas have the title Named.');
  });
});
