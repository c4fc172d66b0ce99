import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const cache = join(here, '../../../dist/fixture-app');

/**
 * The folder of the fixture's cloud assembly. The assembly is made again only if a file of the fixture has changed.
 */
export async function fixtureAssembly(): Promise<string> {
  const handlers = readdirSync(join(here, 'handlers')).map((name) => join(here, 'handlers', name));
  const hash = createHash('sha256');
  for (const file of [join(here, 'app.ts'), ...handlers]) hash.update(readFileSync(file));
  const target = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(target)) return target;
  // CDK takes longer to load than most tests.
  const { buildFixtureApp } = await import('./app.ts');
  mkdirSync(cache, { recursive: true });
  const working = mkdtempSync(join(cache, 'new-'));
  const bundles = join(working, 'bundles');
  await build({
    entryPoints: handlers.map((file) => ({ in: file, out: `${basename(file, '.ts')}/index` })),
    outdir: bundles,
    bundle: true,
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  buildFixtureApp(join(working, 'assembly'), bundles).synth();
  try {
    renameSync(join(working, 'assembly'), target);
  } catch {
    // Another test process was faster, with the same result.
  }
  rmSync(working, { recursive: true, force: true });
  return target;
}
