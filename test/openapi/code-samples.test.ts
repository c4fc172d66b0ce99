import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import createClient from 'openapi-fetch';
import openApiTypes, { astToString } from 'openapi-typescript';
import { describe, expect, it } from 'vitest';
import { filledPath } from '#shared/contract/endpoint.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { codeSamples } from '#shared/openapi/page/code-samples.ts';
import { resolved } from '#shared/openapi/page/resolved.ts';
import type { Operation } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';

const ORIGIN = 'https://billwright.example';

const document = openApiDocument(routes);

const samples = routes.map((endpoint) => {
  const method = endpoint.method.toLowerCase();
  const operation = resolved(document.paths[endpoint.path]?.[method], document) as Operation;
  return { name: endpoint.operationId, endpoint, operation, ...codeSamples(ORIGIN, endpoint.path, method, operation) };
});

/** What a sample asks, whichever language it is in. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const run = promisify(execFile);

/** Runs a sample in a shell whose `curl` and `uuidgen` tell only how they were called. */
async function askedByCurl(sample: string): Promise<Asked> {
  const shell = `curl() { printf '%s\\0' "$@"; }; uuidgen() { echo fresh; }; API_KEY=secret\n${sample}`;
  const { stdout } = await run('sh', ['-c', shell]);
  const words = stdout.split('\0').slice(0, -1);
  const after = (option: string) => words.flatMap((word, place) => (words[place - 1] === option ? [word] : []));
  const [body] = [...after('-d'), ...after('--data-binary')];
  return {
    method: after('-X')[0] ?? 'GET',
    url: words.find((word) => word.startsWith(ORIGIN)) ?? '',
    headers: Object.fromEntries(after('-H').map((header) => header.split(': '))),
    body: bodyIn(body),
  };
}

const FILE = '@file';

const bodyIn = (body: string | undefined) => (body === undefined || body === FILE ? body : JSON.parse(body));

/** Runs a sample with the client that the quickstart makes, and a service that tells only how it was called. */
async function askedByTypeScript(sample: string): Promise<Asked | undefined> {
  let asked: Asked | undefined;
  const fetch = async (request: Request) => {
    const { method, url, headers, body } = request;
    const sent = body === null ? undefined : await request.text();
    asked = { method, url, headers: Object.fromEntries(headers), body: bodyIn(sent) };
    return Response.json({});
  };
  const api = createClient({ baseUrl: ORIGIN, headers: { Authorization: 'Bearer secret' }, fetch });
  const program = new Function('api', 'crypto', 'file', `return (async () => { ${sample} })();`);
  await program(api, { randomUUID: () => 'fresh' }, FILE);
  return asked;
}

describe.each(samples)('the code samples of $name', ({ endpoint, operation, curl, typescript }) => {
  it('ask what the operation takes, the same in both languages', async () => {
    const asked = await askedByCurl(curl);
    // The client sends its key to all operations.
    const headers = { ...Object.fromEntries(new Headers(asked.headers)), authorization: 'Bearer secret' };
    expect(await askedByTypeScript(typescript)).toEqual({ ...asked, headers });

    const { method, url, body } = asked;
    const { pathname, searchParams } = new URL(url);
    const parameters = operation.parameters ?? [];
    const examples = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example ?? `{${name}}`)]));
    expect(method).toBe(endpoint.method);
    expect(decodeURI(pathname)).toBe(filledPath(endpoint.path, examples));
    for (const name of searchParams.keys())
      expect(parameters.find((parameter) => parameter.name === name)?.required).toBe(true);
    expect(asked.headers.Authorization).toBe(endpoint.scope === null ? undefined : 'Bearer secret');
    expect(asked.headers['Idempotency-Key'] === 'fresh').toBe(
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(body).toEqual(endpoint.file ? FILE : endpoint.example.body);
  });
});

it('all samples in TypeScript compile strictly, with the types of the document', { timeout: 60_000 }, async () => {
  const root = join(import.meta.dirname, '../..');
  await mkdir(join(root, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(root, 'dist', 'code-samples-'));
  const types = await openApiTypes(JSON.stringify(document));
  await writeFile(join(folder, 'billwright.ts'), astToString(types));
  const head = [
    'import createClient from "openapi-fetch";',
    'import type { paths } from "./billwright.ts";',
    'const api = createClient<paths>({});',
    'const file = new Blob();',
  ];
  const calls = samples.map(
    ({ name, typescript }) => `export async function ${name}Sample() {\n${typescript}\nreturn data;\n}`,
  );
  await writeFile(join(folder, 'samples.ts'), [...head, ...calls].join('\n'));
  const strictly = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--types', ''];
  const modules = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom', '--ignoreConfig'];
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const compiled = run(process.execPath, [tsc, ...strictly, ...modules, join(folder, 'samples.ts')]);
  const complaints = await compiled.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  await rm(folder, { recursive: true });
  expect(complaints).toBe('');
});
