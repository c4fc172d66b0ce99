import { check } from 'recheck';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { modulesIn, sourceOf } from './modules.ts';

/**
 * A regular expression must read a text in one pass: callers choose the texts of the service, and any page in a browser
 * those of a local cloud.
 */

/** Their texts are files of this repository, and names of its stacks. */
const READING_OUR_OWN = ['scripts/bench/report.ts', 'scripts/costs.ts', 'scripts/deploy.ts', 'scripts/shell-blocks.ts'];

const modules = modulesIn(['functions', 'infra', 'scripts', 'shared']).filter(
  (path) => !READING_OUR_OWN.includes(path),
);

/** Of patterns of our own: a path has names between slashes, a policy few wildcards, and no two alphabets share a letter. */
const COMPUTED = ['shared/contract/path.ts', 'shared/domain/invoices/font-changes.ts', 'scripts/local/wildcard.ts'];

/** Each literal, with the module that it was found in first. */
const literals = new Map<string, string>();

/** Modules that make regular expressions of strings. */
const computing = new Set<string>();

function collect(node: ts.Node, path: string): void {
  if (ts.isRegularExpressionLiteral(node) && !literals.has(node.text)) literals.set(node.text, path);
  if (ts.isIdentifier(node) && node.text === 'RegExp' && ts.isNewExpression(node.parent)) computing.add(path);
  ts.forEachChild(node, (child) => collect(child, path));
}

for (const path of modules) {
  collect(ts.createSourceFile(path, sourceOf(path), ts.ScriptTarget.Latest, true), path);
}

/** Long enough for a busy machine: none takes longer than some seconds. */
const TIMEOUT_MILLISECONDS = 60_000;

/** The checker draws texts: each run draws the same ones. */
const SEED = 1;

async function verdictOn(literal: string): Promise<string> {
  const end = literal.lastIndexOf('/');
  const verdict = await check(literal.slice(1, end), literal.slice(end + 1), {
    timeout: TIMEOUT_MILLISECONDS,
    randomSeed: SEED,
  });
  return verdict.status === 'vulnerable' ? `${verdict.complexity.summary}: ${verdict.attack.pattern}` : verdict.status;
}

describe('regular expressions', () => {
  it.each([...literals])('read a text in one pass: %s in %s', { timeout: TIMEOUT_MILLISECONDS }, async (literal) => {
    expect(await verdictOn(literal)).toBe('safe');
  });

  it('are literals', () => {
    expect([...computing].sort()).toEqual(COMPUTED.toSorted());
  });
});
