import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

describe('exports', () => {
  const files = ['shared', 'functions', 'infra', 'scripts', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(root, folder, path)),
  );
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

  it('are all used by another module', () => {
    const unused: string[] = [];
    for (const [file, source] of sources) {
      if (file.startsWith(join(root, 'functions'))) continue;
      for (const [, name] of source.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)) {
        const word = new RegExp(`\\b${name}\\b`);
        const isUsed = [...sources].some(([other, text]) => other !== file && word.test(text));
        if (!isUsed) unused.push(`${file.slice(root.length + 1)}: ${name}`);
      }
    }
    expect(unused).toEqual([]);
  });
});
