import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';
import { clientTypes } from './openapi-client.ts';

/**
 * `npm run openapi` writes the OpenAPI document of the route table to `test/golden/openapi.json`, where reviews see each change of
 * the interface, and the types that a client generates from it beside it; `npm run openapi -- --check` fails when they differ.
 */

const document = openApiDocument(routes);

const golden = {
  'openapi.json': `${JSON.stringify(document, undefined, 2)}\n`,
  'openapi.ts': await clientTypes(document),
};

for (const [name, content] of Object.entries(golden)) {
  const file = fileURLToPath(import.meta.resolve(`#test/golden/${name}`));
  if (process.argv.includes('--check')) await check(file, name, content);
  else await write(file, content);
}

async function check(file: string, name: string, content: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === content) return;
  console.error(`test/golden/${name} is not what the contract says. Run "npm run openapi" and review the change.`);
  process.exitCode = 1;
}

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
