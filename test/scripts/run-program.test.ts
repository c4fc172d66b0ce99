import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '#scripts/run-program.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';

const folder = await folderOfFile();

async function run(source: string): Promise<unknown> {
  const file = join(folder, 'program.mjs');
  await writeFile(file, source);
  return runProgram('It did not end well.', file).catch((error: Error) => error.message);
}

describe('a program', () => {
  it.each([
    ['process.exit(0)', undefined],
    ['console.error("No space."); process.exit(1)', 'It did not end well. No space.'],
    ['process.kill(process.pid, "SIGKILL")', 'It did not end well. The process was ended with SIGKILL.'],
  ])('that does %s', async (source, complaint) => {
    expect(await run(source)).toBe(complaint);
  });
});
