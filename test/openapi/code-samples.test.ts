import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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

interface Options {
  readonly method?: string;
  readonly headers?: Asked['headers'];
  readonly body?: string;
}

/** Runs a sample with a `fetch` that tells only how it was called. */
async function askedByJavaScript(sample: string): Promise<Asked | undefined> {
  let asked: Asked | undefined;
  const answer = { ok: true, json: () => 'read', text: () => 'read', blob: () => 'read' };
  const fetch = (url: string, { method = 'GET', headers = {}, body }: Options = {}) => {
    asked = { method, url, headers, body: bodyIn(body) };
    return answer;
  };
  const names = ['fetch', 'apiKey', 'crypto', 'file'];
  const program = new Function(...names, `return (async () => { ${sample}\nreturn answer; })();`);
  expect(await program(fetch, 'secret', { randomUUID: () => 'fresh' }, FILE)).toBe('read');
  return asked;
}

describe.each(samples)('the code samples of $name', ({ endpoint, operation, curl, javascript }) => {
  it('ask what the operation takes, the same in both languages', async () => {
    const asked = await askedByCurl(curl);
    expect(await askedByJavaScript(javascript)).toEqual(asked);

    const { method, url, headers, body } = asked;
    const { pathname, searchParams } = new URL(url);
    const parameters = operation.parameters ?? [];
    const examples = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example ?? `{${name}}`)]));
    expect(method).toBe(endpoint.method);
    expect(decodeURI(pathname)).toBe(filledPath(endpoint.path, examples));
    for (const name of searchParams.keys())
      expect(parameters.find((parameter) => parameter.name === name)?.required).toBe(true);
    expect(headers.Authorization).toBe(endpoint.scope === null ? undefined : 'Bearer secret');
    expect(headers['Idempotency-Key'] === 'fresh').toBe(parameters.some(({ name }) => name === 'Idempotency-Key'));
    expect(body).toEqual(endpoint.file ? FILE : endpoint.example.body);
  });
});
