import { expect, it, vi } from 'vitest';
import { positionOf } from '#shared/work/events/position.ts';

const { readFeed } = vi.hoisted(() => ({ readFeed: vi.fn() }));

vi.mock('#shared/data/events/feed.ts', () => ({ readFeed }));

it('is not looked for without end where others write faster, and what is far is found by another request', async () => {
  readFeed.mockImplementation(async () => ({ last: 500, hasMore: readFeed.mock.calls.length < 40 }));
  await expect(positionOf('acme', 'latest', new Date())).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  expect(readFeed).toHaveBeenCalledTimes(20);
  expect(await positionOf('acme', 'latest', new Date())).toBe(500);
});

it('is looked for in one number of the feed where it is given', async () => {
  const now = new Date();
  readFeed.mockResolvedValue({ last: 500, hasMore: true });
  expect(await positionOf('acme', 7, now)).toBe(7);
  expect(readFeed.mock.lastCall).toEqual(['acme', 7, 1, now]);
});
