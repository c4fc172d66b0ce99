import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';

/**
 * `npm run openapi` writes the OpenAPI document of the route table to `test/golden/openapi.json`, where reviews see each change of
 * the interface; `npm run openapi -- --check` fails when the two differ.
 */

const file = fileURLToPath(import.meta.resolve('#test/golden/openapi.json'));
const document = `${JSON.stringify(openApiDocument(routes), undefined, 2)}\n`;

if (process.argv.includes('--check')) {
  const golden = await readFile(file, 'utf8').catch(() => '');
  if (golden !== document) {
    console.error(
      'test/golden/openapi.json is not what the contract says. Run "npm run openapi" and review the change.',
    );
    process.exitCode = 1;
  }
} else {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, document);
}
