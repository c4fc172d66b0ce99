import { mkdir, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';

/**
 * Writes `dist/client.ts`, the types of every operation. A customer makes them from the OpenAPI document in the same
 * way. The tests compile with these types and use them with openapi-fetch.
 */

/**
 * The generator prints with the compiler's JavaScript API. TypeScript 7 no longer has this API, so the generator gets
 * the last version that has it.
 */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const { astToString, default: generate } = await import('openapi-typescript');
const file = join(import.meta.dirname, '../dist/client.ts');
await mkdir(dirname(file), { recursive: true });
await writeFile(file, astToString(await generate(JSON.stringify(openApiDocument(routes)))));
