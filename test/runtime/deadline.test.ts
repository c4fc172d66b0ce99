import { describe, expect, it } from 'vitest';
import { SharedWork, withDeadline } from '#shared/runtime/deadline.ts';

const event = <T>(work: () => T): T => withDeadline(5_000, work);

describe('shared work', () => {
  it('is begun once for all who need it at the same time in one event, and again when it has ended', async () => {
    const shared = new SharedWork<number>();
    let begun = 0;
    const join = () => shared.join(async () => ++begun);
    expect(await event(() => Promise.all([join(), join(), join()]))).toEqual([1, 1, 1]);
    expect(await event(join)).toBe(2);
  });

  it('of an event that ended before it did is awaited by no other, and is told that it is not the latest', async () => {
    const shared = new SharedWork<string>();
    const thaw = Promise.withResolvers<void>();
    const left = event(() =>
      shared.join(async (isLatest) => {
        await thaw.promise;
        return isLatest() ? 'kept' : 'dropped';
      }),
    );
    expect(await event(() => shared.join(async (isLatest) => (isLatest() ? 'kept' : 'dropped')))).toBe('kept');
    thaw.resolve();
    expect(await left).toBe('dropped');
  });

  it('that fails is begun anew', async () => {
    const shared = new SharedWork<string>();
    await expect(shared.join(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await shared.join(async () => 'yes')).toBe('yes');
  });
});
