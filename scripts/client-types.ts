import { mkdir, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';

/**
 * Writes `dist/client.ts`, the types of every operation, as a customer makes them from the OpenAPI document. The tests use them with openapi-fetch, and
 * compile.
 */

/** The generator prints with the compiler's JavaScript API, which TypeScript 7 has no more: it gets the last version that has it. */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const { astToString, default: generate } = await import('openapi-typescript');
const file = join(import.meta.dirname, '../dist/client.ts');
await mkdir(dirname(file), { recursive: true });
await writeFile(file, astToString(await generate(JSON.stringify(openApiDocument(routes)))));
