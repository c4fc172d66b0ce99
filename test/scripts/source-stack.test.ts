import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceStack } from '#scripts/build/source-stack.ts';

const BUNDLE = join(import.meta.dirname, '../../dist/functions/products/get-product/index.js');
const TEXT = 'The keys of its family together allow';

const placeOfText = (): string => {
  const before = readFileSync(BUNDLE, 'utf8').split(TEXT)[0]?.split('\n') ?? [];
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
};

const stackIn = (bundle: string) => `Error: No\n    at a (${bundle}:${placeOfText()})\n    at node:events:1:2`;

it('a stack that a function wrote on Lambda names the places in our sources, also within its line of the log', () => {
  const input = JSON.stringify({ error: { stack: `Error: No\n    at a (/var/task/index.js:${placeOfText()})` } });
  const program = join(import.meta.dirname, '../../scripts/stack.ts');
  const { stdout } = spawnSync(process.execPath, [program, 'billwright-get-product'], {
    input,
    encoding: 'utf8',
  });
  const [, file = '', line] = /at a \((.+):(\d+):\d+\)"/.exec(stdout) ?? [];
  expect(file).toBe('shared/caller/lease.ts');
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(TEXT);
});

it('a stack of code that is another by now stays as it is', async () => {
  const former = join(mkdtempSync(join(tmpdir(), 'billwright-')), 'index.js');
  writeFileSync(former, `${readFileSync(BUNDLE, 'utf8')}//`);
  expect(await sourceStack('billwright-get-product', stackIn(former))).toBe(stackIn(former));
});
