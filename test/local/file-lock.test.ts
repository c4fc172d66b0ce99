import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { tryLock, waitForLock } from '#scripts/file-lock.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';

const lockModule = join(import.meta.dirname, '../../scripts/file-lock.ts');
const folder = await folderOfFile();
const children: ChildProcess[] = [];

/** Those that a failed test has left behind. */
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Runs a program that knows the functions of the lock. */
function elsewhere(program: string): ChildProcess {
  const source = `import { tryLock, waitForLock } from ${JSON.stringify(lockModule)};\n${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

const exitCodeOf = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

describe('a lock', () => {
  it('is had at once, and without a word, where nobody holds it', async () => {
    const path = join(folder, 'free.db');
    const onWait = vi.fn();
    for (const _ of [1, 2]) (await waitForLock(path, onWait)).release();
    expect(onWait).not.toHaveBeenCalled();
  });

  it('is had by one only, in the same process too', () => {
    const path = join(folder, 'shared.db');
    const lock = tryLock(path);
    expect(lock).toBeDefined();
    expect(tryLock(path)).toBeUndefined();
    lock?.release();
    tryLock(path)?.release();
    expect(tryLock(path)).toBeDefined();
  });

  it('is announced once while one waits, and had when its holder is killed', async () => {
    const path = join(folder, 'killed.db');
    const holder = elsewhere(`tryLock(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1_000);`);
    await new Promise((resolve) => holder.stdout?.once('data', resolve));
    const onWait = vi.fn();
    const waiting = waitForLock(path, onWait);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(tryLock(path)).toBeUndefined();
    const gone = exitCodeOf(holder);
    holder.kill('SIGKILL');
    await gone;
    (await waiting).release();
    expect(onWait).toHaveBeenCalledTimes(1);
  });

  it('is never had by two of many who wait for it', async () => {
    const path = join(folder, 'contended.db');
    const counter = join(folder, 'counter');
    await writeFile(counter, '0');
    // Without the lock, additions are lost: each reads, waits, and writes one more than it has read.
    const add = `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      for (let round = 0; round < 5; round++) {
        const lock = await waitForLock(${JSON.stringify(path)}, () => {});
        const count = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'));
        await sleep(10);
        writeFileSync(${JSON.stringify(counter)}, String(count + 1));
        lock.release();
      }`;
    const codes = await Promise.all([1, 2, 3, 4].map(() => exitCodeOf(elsewhere(add))));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await readFile(counter, 'utf8')).toBe('20');
  });

  it('is not taken for held where its file cannot be one', async () => {
    const path = join(folder, 'text');
    await writeFile(path, 'Not a database, but a text that is longer than the header of one. '.repeat(4));
    expect(() => tryLock(path)).toThrow('file is not a database');
    expect(() => tryLock(join(folder, 'nowhere', 'lock.db'))).toThrow('unable to open database file');
  });
});
