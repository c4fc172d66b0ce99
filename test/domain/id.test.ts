import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import { it } from 'vitest';
import { creationOf } from '#shared/domain/id.ts';

it('an id tells the millisecond in which it was made', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.parse('2100-01-01') }), (milliseconds) => {
      const id = uuidV7({ msecs: milliseconds });
      const moment = new Date(milliseconds).toISOString();
      return creationOf(id) === moment && creationOf(id.toUpperCase()) === moment;
    }),
  );
});
