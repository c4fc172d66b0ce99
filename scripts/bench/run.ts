import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureSynthesized } from '#scripts/synth.ts';
import { measureDeletion } from './deletion.ts';
import { measureImport } from './import.ts';
import { measureLoadTimes } from './load-time.ts';
import { markdownTable } from './report.ts';
import { onScratchCloud } from './scratch-cloud.ts';

/** `npm run bench`: measures what the tests do not assert, since it depends on the machine; prints Markdown and keeps JSON in `dist/`. */

/** From an empty data folder to the first answer. */
async function measureStartUp(): Promise<number> {
  const startedAt = performance.now();
  return onScratchCloud(async ({ url }) => {
    const response = await fetch(`${url}/health`);
    if (!response.ok) throw new Error(`/health answered ${response.status}.`);
    return performance.now() - startedAt;
  });
}

/** The machine is never quite quiet: hence several rounds. */
const IMPORT_ROUNDS = 5;

await ensureSynthesized();
const startUpMilliseconds = await measureStartUp();
const loadTimes = await measureLoadTimes();
const deletion = await onScratchCloud(measureDeletion);
const imports = await onScratchCloud((cloud) => measureImport(cloud, IMPORT_ROUNDS));

console.log(`Local cloud, from an empty folder to the first answer: ${startUpMilliseconds.toFixed(0)} ms\n`);
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
console.log(
  `\nDeleting a project with ${deletion.entries} entries answers in ${deletion.answerMilliseconds.toFixed(0)} ms; ` +
    `the last link is gone after ${deletion.unlinkedSeconds.toFixed(0)} s and ${deletion.deliveries} deliveries, ` +
    `one of them killed; links left: ${deletion.linksLeft}.`,
);

console.log('\nAn import through HTTP against the same rows written straight to the same database:\n');
console.log(
  markdownTable(
    ['rows', 'import, s', 'rows a second', 'straight, s', 'rows a second', 'import against straight'],
    imports.map(({ rows, importSeconds, rawSeconds }) => [
      String(rows),
      importSeconds.toFixed(2),
      (rows / importSeconds).toFixed(0),
      rawSeconds.toFixed(2),
      (rows / rawSeconds).toFixed(0),
      `${((100 * rawSeconds) / importSeconds).toFixed(0)} %`,
    ]),
  ),
);

const folder = join(import.meta.dirname, '../../dist');
await mkdir(folder, { recursive: true });
await writeFile(
  join(folder, 'bench.json'),
  JSON.stringify({ startUpMilliseconds, loadTimes, deletion, imports }, null, 2),
);
