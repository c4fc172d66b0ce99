import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tryLock, waitForLock } from '#scripts/file-lock.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';

const lockModule = join(import.meta.dirname, '../../scripts/file-lock.ts');
const folder = await folderOfFile();

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
    const program = `import { tryLock } from ${JSON.stringify(lockModule)};
      tryLock(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1_000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    const onWait = vi.fn();
    const waiting = waitForLock(path, onWait);
    expect(await Promise.race([waiting, sleep(350, 'waiting')])).toBe('waiting');
    expect(tryLock(path)).toBeUndefined();
    holder.kill('SIGKILL');
    (await waiting).release();
    expect(onWait).toHaveBeenCalledTimes(1);
  });

  it('is not taken for held where its file cannot be one', async () => {
    const path = join(folder, 'text');
    await writeFile(path, 'Not a database, but a text that is longer than the header of one. '.repeat(4));
    expect(() => tryLock(path)).toThrow('file is not a database');
    expect(() => tryLock(join(folder, 'nowhere', 'lock.db'))).toThrow('unable to open database file');
  });
});
