import type { Operation, Parameter } from '../types.ts';

export interface CodeSamples {
  readonly curl: string;
  /** With the client of `openapi-fetch` and the types of `openapi-typescript`, as the quickstart makes it. */
  readonly typescript: string;
}

/** The example request of an operation as code. @param operation with all references resolved */
export function codeSamples(origin: string, path: string, method: string, operation: Operation): CodeSamples {
  const request: SampleRequest = {
    method: method.toUpperCase(),
    url: origin + filled(path, operation),
    path,
    parameters: requiredOf(operation),
    needsKey: operation.security.length > 0,
    takesName: (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key'),
    body: bodyOf(operation),
    fileType: fileTypeOf(operation),
    reads: readerOf(operation),
  };
  return { curl: curl(request), typescript: typescript(request) };
}

interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** With the names of its parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly needsKey: boolean;
  readonly takesName: boolean;
  readonly body: unknown;
  /** Of a body that is a file. */
  readonly fileType: string | undefined;
  readonly reads: 'json' | 'text' | 'blob';
}

/** The path with its parameters and the required ones of the query. */
function filled(path: string, operation: Operation): string {
  const required = requiredOf(operation);
  const ofPath = new Map(
    required.filter((parameter) => parameter.in === 'path').map(({ name, example }) => [name, String(example)]),
  );
  const query = required.filter((parameter) => parameter.in === 'query');
  const search = new URLSearchParams(
    query.map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();
  const place = path.replace(/\{(\w+)\}/g, (braced, name: string) => ofPath.get(name) ?? braced);
  return search ? `${place}?${search}` : place;
}

const requiredOf = ({ parameters = [] }: Operation) =>
  parameters.filter(({ required, example }) => required && example !== undefined);

/** The first example of its body. */
export function bodyOf({ requestBody }: Operation): unknown {
  const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
  const [first] = Object.values(examples);
  return first && 'value' in first ? first.value : example;
}

function fileTypeOf({ requestBody }: Operation): string | undefined {
  const types = Object.keys(requestBody?.content ?? {});
  return types.includes('application/json') ? undefined : types[0];
}

function readerOf({ responses }: Operation): SampleRequest['reads'] {
  const [success] = Object.values(responses);
  const [type = ''] = success && 'content' in success ? Object.keys(success.content) : [];
  if (type.includes('json')) return 'json';
  return type.startsWith('text/') ? 'text' : 'blob';
}

function curl({ method, url, needsKey, takesName, body, fileType, reads }: SampleRequest): string {
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(takesName ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(json(body))}`]),
    ...(fileType ? [`-H 'Content-Type: ${fileType}'`, '--data-binary @file'] : []),
    ...(reads === 'blob' ? ['--remote-name --remote-header-name'] : []),
  ].join(' \\\n  ');
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function typescript({ method, path, parameters, takesName, body, fileType, reads }: SampleRequest): string {
  const of = (place: Parameter['in']) =>
    parameters.filter((each) => each.in === place).map(({ name, example }) => `${name}: ${JSON.stringify(example)}`);
  const header = takesName ? ['"Idempotency-Key": crypto.randomUUID()'] : [];
  const params = Object.entries({ path: of('path'), query: of('query'), header })
    .filter(([, values]) => values.length > 0)
    .map(([place, values]) => `${place}: { ${values.join(', ')} },`);
  const options = [
    ...(params.length > 0 ? [`params: {\n${indented(params.join('\n'))}\n},`] : []),
    ...(body === undefined ? [] : [`body: ${json(body)},`]),
    // The types know a file as a text.
    ...(fileType ? [`headers: { "Content-Type": "${fileType}" },`, 'body: "",', 'bodySerializer: () => file,'] : []),
    ...(reads === 'json' ? [] : [`parseAs: "${reads}",`]),
  ];
  const given = options.length > 0 ? `, {\n${indented(options.join('\n'))}\n}` : '';
  return [
    `const { data, error } = await api.${method}("${path}"${given});`,
    'if (error) throw new Error(error.detail);',
  ].join('\n');
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function indented(lines: string): string {
  return lines.replaceAll(/^/gm, '  ');
}
