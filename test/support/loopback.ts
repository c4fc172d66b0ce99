import { expect } from 'vitest';

/** What listens on all interfaces answers at every address of this machine, and so at this one too. */
const OTHER_ADDRESS = '127.0.0.2';

export async function expectOnlyOnLoopback(url: string): Promise<void> {
  const { port } = new URL(url);
  await expect(fetch(`http://${OTHER_ADDRESS}:${port}`), url).rejects.toThrow('fetch failed');
}
