import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { text, uuid } from '#shared/contract/fields.ts';
import { schemaRegistry } from '#shared/openapi/schemas.ts';

const named = v.pipe(v.object({ id: uuid, note: v.nullable(text(0, 10)) }), v.title('Named'));

describe('the JSON Schema of a contract schema', () => {
  it('refuses one title for two responses', () => {
    const other = v.pipe(v.object({ id: v.number() }), v.title('Named'));
    expect(() => schemaRegistry([named, other])).toThrow('Two different schemas have the title Named.');
  });
});
