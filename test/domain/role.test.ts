import { expect, it } from 'vitest';
import { assertAdmin, assertYours } from '#shared/domain/role.ts';

it.each([
  ['admin', 'bea', true],
  ['admin', undefined, true],
  ['member', 'ana', true],
  ['member', 'bea', false],
  ['member', undefined, false],
] as const)('%s ana may write what belongs to %s: %s', (role, owner, may) => {
  const write = () => assertYours({ role, userId: 'ana' }, owner);
  if (may) expect(write).not.toThrow();
  else expect(write).toThrow(expect.objectContaining({ code: 'not_yours' }));
});

it('an admin may do what only admins may', () => {
  expect(() => assertAdmin({ role: 'admin' })).not.toThrow();
  expect(() => assertAdmin({ role: 'member' })).toThrow(expect.objectContaining({ code: 'admin_required' }));
});
