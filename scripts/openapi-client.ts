import { registerHooks } from 'node:module';
import type { OpenApiDocument } from '#shared/openapi/types.ts';

/** Types of every operation, for clients in TypeScript, made from the OpenAPI document as anybody would make them. */

/** The generator prints with the compiler's JavaScript API, which TypeScript 7 has no more: it gets the last version that has it. */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

/** @returns the source of a module that exports `paths`, which openapi-fetch takes */
export async function clientTypes(document: OpenApiDocument): Promise<string> {
  const { astToString, default: generate } = await import('openapi-typescript');
  return astToString(await generate(JSON.stringify(document)));
}
