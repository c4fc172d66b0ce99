import { appendFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bootCloud } from '#scripts/local/cloud.ts';
import { onChanges } from '#scripts/start/changes.ts';
import { fixtureAssembly } from '#test/support/fixture-app/assembly.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';

const folder = await folderOfFile();

describe('changes of a folder', () => {
  it('are followed one after the other, and those that come meanwhile once more', async () => {
    const watched = join(folder, 'watched');
    await mkdir(join(watched, 'deeper'), { recursive: true });
    let [calls, running, atOnce] = [0, 0, 0];
    const end = onChanges([watched], async () => {
      calls += 1;
      running += 1;
      atOnce = Math.max(atOnce, running);
      await sleep(200);
      running -= 1;
    });
    for (const name of ['a', 'b', 'c']) await writeFile(join(watched, 'deeper', name), name);
    await expect.poll(() => calls).toBe(1);
    for (const name of ['d', 'e']) await writeFile(join(watched, name), name);
    await expect.poll(() => [calls, running]).toEqual([2, 0]);
    end();
    await writeFile(join(watched, 'f'), 'f');
    await sleep(100);
    expect([calls, atOnce]).toEqual([2, 1]);
  });

  it('are seen again and again in a file that an editor replaces, and in folders that are new', async () => {
    const watched = join(folder, 'replaced');
    const [file, copy, added] = [join(watched, 'deeper', 'a'), join(folder, 'copy'), join(watched, 'added')];
    await mkdir(join(watched, 'deeper'), { recursive: true });
    await writeFile(file, '0');
    let seen = '';
    const end = onChanges([watched], async () => {
      const texts = [join(added, 'b'), file].map((path) => readFile(path, 'utf8').catch(() => ''));
      seen = (await Promise.all(texts)).join('');
    });
    for (const content of ['1', '2', '3']) {
      await writeFile(copy, content);
      await rename(copy, file);
      await expect.poll(() => seen).toBe(content);
    }
    for (const content of ['4', '5']) {
      await mkdir(added);
      await expect.poll(() => seen).toBe('3');
      await writeFile(join(added, 'b'), content);
      await expect.poll(() => seen).toBe(`${content}3`);
      await rm(added, { recursive: true });
      await expect.poll(() => seen).toBe('3');
    }
    end();
  });
});

describe('a cloud', () => {
  it('answers with code that was built again, and keeps the instances of all other functions', async () => {
    const assembly = join(folder, 'assembly');
    await cp(await fixtureAssembly(), assembly, { recursive: true });
    const cloud = await bootCloud({ assembly, dataDir: join(folder, 'data'), port: 0, schedules: false });
    const count = async (name: string): Promise<number> =>
      JSON.parse((await cloud.invoke(name, { do: 'count' })).payload).invocations;
    try {
      expect([await count('single'), await count('behave')]).toEqual([1, 1]);
      cloud.renew();
      expect([await count('single'), await count('behave')]).toEqual([2, 2]);
      const busy = cloud.invoke('echo', {});
      for (const name of await readdir(assembly)) {
        const file = join(assembly, name, 'index.js');
        if (name.startsWith('asset.'))
          await appendFile(file, '\nmodule.exports = { handler: async () => "renewed" };\n');
      }
      cloud.renew();
      expect((await busy).functionError).toBeUndefined();
      expect((await cloud.invoke('echo', {})).payload).toBe('"renewed"');
    } finally {
      await cloud.stop();
    }
  });
});
