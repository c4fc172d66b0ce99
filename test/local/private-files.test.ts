import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockDataDir } from '#scripts/local/instance-file.ts';
import { inTemporaryFolder } from '#test/infra/sample.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it('a data folder is for its owner alone, also where it was there before and open to others', async () => {
  await inTemporaryFolder(async (folder) => {
    const parent = join(folder, 'parent');
    const [made, open] = [join(parent, 'made'), join(parent, 'open')];
    await mkdir(open, { recursive: true });
    for (const path of [parent, open]) await chmod(path, 0o755);
    for (const dataDir of [made, open]) lockDataDir(dataDir).release();
    expect([await modeOf(made), await modeOf(open), await modeOf(parent)]).toEqual([0o700, 0o700, 0o755]);
    // No checkout takes what a start has made. A folder of somebody else's stays theirs.
    expect(await readFile(join(made, '.gitignore'), 'utf8')).toBe('*\n');
    expect(await readdir(open)).not.toContain('.gitignore');
  });
});
