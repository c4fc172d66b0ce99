import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';

/** `npm run openapi` writes the document to `test/golden/openapi.json`; `-- --check` fails if they differ. */

const file = fileURLToPath(import.meta.resolve('#test/golden/openapi.json'));
const content = `${JSON.stringify(openApiDocument(routes), undefined, 2)}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, content);
} else if ((await readFile(file, 'utf8')) !== content) {
  console.error('test/golden/openapi.json is not what the contract says. Run "npm run openapi" and review the change.');
  process.exitCode = 1;
}
