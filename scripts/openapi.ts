import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';

/**
 * `npm run openapi` writes the OpenAPI document of the route table to `test/golden/openapi.json`. There reviews see
 * each change of the interface. `npm run openapi -- --check` fails if the document differs from the file.
 */

const file = fileURLToPath(import.meta.resolve('#test/golden/openapi.json'));
const content = `${JSON.stringify(openApiDocument(routes), undefined, 2)}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, content);
} else if ((await readFile(file, 'utf8')) !== content) {
  console.error('test/golden/openapi.json is not what the contract says. Run "npm run openapi" and review the change.');
  process.exitCode = 1;
}
