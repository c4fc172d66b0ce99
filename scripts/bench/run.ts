import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootCloud } from '#scripts/local/cloud.ts';
import { ensureSynthesized } from '#scripts/synth.ts';
import { measureLoadTimes } from './load-time.ts';
import { markdownTable } from './report.ts';

/** `npm run bench`: measures what the tests do not assert, since it depends on the machine; prints Markdown and keeps JSON in `dist/`. */

async function measureStartUp(assembly: string): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'billwright-bench-'));
  const startedAt = performance.now();
  const cloud = await bootCloud({ assembly, dataDir, port: 0 });
  const response = await fetch(`${cloud.url}/health`);
  if (!response.ok) throw new Error(`/health answered ${response.status}.`);
  const milliseconds = performance.now() - startedAt;
  await cloud.stop();
  await rm(dataDir, { recursive: true });
  return milliseconds;
}

const assembly = await ensureSynthesized();
const startUpMilliseconds = await measureStartUp(assembly);
const loadTimes = await measureLoadTimes();

console.log(`Local cloud, from boot to the first answer: ${startUpMilliseconds.toFixed(0)} ms\n`);
console.log(
  markdownTable(
    ['function', 'KB', 'load ms, least', 'load ms, median', 'against the document client'],
    loadTimes.map((row) => [
      row.name,
      (row.bytes / 1_000).toFixed(0),
      row.minMilliseconds.toFixed(1),
      row.medianMilliseconds.toFixed(1),
      `${row.ratio.toFixed(2)} x`,
    ]),
  ),
);

const folder = join(import.meta.dirname, '../../dist');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'bench.json'), JSON.stringify({ startUpMilliseconds, loadTimes }, null, 2));
