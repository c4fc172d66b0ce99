import { createHash } from 'node:crypto';
import { join, parse } from 'node:path';
import { build } from 'esbuild';
import { openApiDocument } from '#shared/openapi/document.ts';
import { problemPages } from '#shared/openapi/page/problem-page.ts';
import { referencePage } from '#shared/openapi/page/reference-page.ts';
import { routes } from '#shared/routes.ts';

/** Gzipped once, for the functions that answer them as they are (`shared/http/static-file.ts`). */

const root = join(import.meta.dirname, '../..');

const REFERENCE_ASSETS: Readonly<Record<string, () => Promise<string>>> = {
  'reference.js': () => bundled('browser/reference.ts'),
  'reference.css': () => bundled('reference.css'),
};

async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'shared/openapi/page', source)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  });
  return outputFiles.map(({ text }) => text).join('');
}

type Files = Readonly<Record<string, string>>;

/** A function that made the document itself would hold the whole contract, and load longer than any other. */
export async function staticFiles(): Promise<Readonly<Record<string, Files>>> {
  const { page, pages, assets } = await hashedReference();
  return {
    'get-docs': { 'docs.html': page },
    'get-docs-asset': assets,
    'get-problem': pages,
    'get-open-api': { 'openapi.json': JSON.stringify(openApiDocument(routes)) },
  };
}

interface HashedReference {
  readonly page: string;
  readonly pages: Files;
  readonly assets: Files;
}

/** The name of an asset has a hash of its content: callers may keep it for ever. */
async function hashedReference(): Promise<HashedReference> {
  let page = referencePage(openApiDocument(routes));
  let pages = problemPages(routes);
  const assets: Record<string, string> = {};
  for (const [name, read] of Object.entries(REFERENCE_ASSETS)) {
    const content = await read();
    const hashed = hashedName(name, content);
    if (!page.includes(`"/docs/${name}"`)) throw new Error(`The reference page does not load ${name}.`);
    const withHash = (text: string) => text.replaceAll(`"/docs/${name}"`, `"/docs/${hashed}"`);
    page = withHash(page);
    pages = Object.fromEntries(Object.entries(pages).map(([file, text]) => [file, withHash(text)]));
    assets[hashed] = content;
  }
  return { page, pages, assets };
}

const HASH_DIGITS = 16;

/** `reference.css` -> `reference.0123456789abcdef.css` */
function hashedName(file: string, content: string): string {
  const { name, ext } = parse(file);
  return `${name}.${createHash('sha256').update(content).digest('hex').slice(0, HASH_DIGITS)}${ext}`;
}
