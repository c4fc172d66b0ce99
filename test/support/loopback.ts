import { expect } from 'vitest';

/**
 * What listens on all interfaces answers at every address of this machine. On Linux this is one of them; elsewhere
 * nothing answers here in any case.
 */
const OTHER_ADDRESS = '127.0.0.2';

export async function expectOnlyOnLoopback(url: string): Promise<void> {
  const { port } = new URL(url);
  await expect(fetch(`http://${OTHER_ADDRESS}:${port}`), url).rejects.toThrow('fetch failed');
}
