import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { LogFile } from '#scripts/start/log-file.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';

const folder = await folderOfFile();

describe('a log file', () => {
  it('keeps the last lines in two files of a limited size, whole and in order, over restarts too', async () => {
    const path = join(folder, 'limited.log');
    const lines = Array.from({ length: 100 }, (_, number) => `line ${number} é`);
    for (const part of [lines.slice(0, 33), lines.slice(33)]) {
      const file = new LogFile(path, 200);
      for (const line of part) file.write(line);
    }
    const current = await readFile(path, 'utf8');
    const earlier = await readFile(`${path}.1`, 'utf8');
    const kept = (earlier + current).trimEnd().split('\n');
    expect(kept).toEqual(lines.slice(-kept.length));
    expect(kept.length).toBeGreaterThan(200 / 12);
    for (const text of [current, earlier]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200);
    expect((await readdir(folder)).filter((name) => name.startsWith('limited'))).toHaveLength(2);
  });

  it('tells once that the disk is full, and goes on', () => {
    const told = vi.spyOn(console, 'error').mockReturnValue();
    const file = new LogFile('/dev/full', 1_000);
    for (const line of ['a', 'b']) file.write(line);
    expect(told.mock.calls).toEqual([[expect.stringMatching(/^\/dev\/full lacks lines from here on: ENOSPC/)]]);
  });

  it('takes a line that is longer than its limit', async () => {
    const path = join(folder, 'long.log');
    const file = new LogFile(path, 10);
    for (const line of ['a'.repeat(50), 'b'.repeat(50)]) file.write(line);
    expect(await readFile(`${path}.1`, 'utf8')).toBe(`${'a'.repeat(50)}\n`);
    expect(await readFile(path, 'utf8')).toBe(`${'b'.repeat(50)}\n`);
  });

  it("is for its owner's eyes", async () => {
    const path = join(folder, 'private.log');
    const file = new LogFile(path, 1);
    for (const line of ['one', 'two']) file.write(line);
    for (const name of [path, `${path}.1`]) expect((await stat(name)).mode & 0o777).toBe(0o600);
  });
});
