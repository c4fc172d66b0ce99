import type { OpenApiDocument } from '../document.ts';
import type { Content, Example, Operation, Parameter, Response } from '../types.ts';
import { bodyOf, codeSamples } from './code-samples.ts';
import { type Html, html } from './html.ts';
import { blocks, inline } from './markdown.ts';
import { linkTo, members } from './members.ts';
import { resolved } from './resolved.ts';
import { inWords, isSchema } from './words.ts';

export interface Located {
  readonly path: string;
  readonly method: string;
  /** As in the document, where components have names. */
  readonly operation: Operation;
  readonly document: OpenApiDocument;
}

/** The script of the page replaces it by the origin that the page came from. */
export const ORIGIN = 'https://HOST';

const FIRST_PROBLEM = 400;

export function operationId({ operation: { tags, operationId: name } }: Pick<Located, 'operation'>): string {
  return `/${tags[0]}/${name}`;
}

/** The texts of an operation on the left, and code and a form on the right. */
export function operationArticle(located: Located): Html {
  const { path, method, operation, document } = located;
  // Names stay in the schemas, and everything else is resolved.
  const full = resolved(operation, document) as Operation;
  const [lead, rest] = withItsLead(operation.description ?? '');
  return html`<article class="operation" id="${operationId(located)}" aria-label="${operation.summary}">
<div>
<h3><a href="#${operationId(located)}">${operation.summary}</a></h3>
<p class="route"><b class="method ${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
${blocks(lead)}
${parameterList('Parameters', full, ['path', 'query'])}
${body(located)}
${parameterList('Headers', full, ['header'])}
${blocks(rest)}
${responses(located, full)}
${problems(located, full)}
</div>
<div class="aside">
${samples(located, full)}
${tryForm(located, full)}
${answers(full)}
</div>
</article>`;
}

/** What an operation does, before its parameters; and what limits and ends it, behind them. */
function withItsLead(description: string): [lead: string, rest: string] {
  const end = /[.:](?=\s+[A-Z`[])|\n\n|$/.exec(description);
  const length = (end?.index ?? 0) + (end?.[0].trim().length ?? 0);
  return [description.slice(0, length), description.slice(length).trim()];
}

function parameterList(title: string, of: Operation, places: readonly Parameter['in'][]): Html | false {
  const { parameters = [] } = of;
  const rows = parameters
    .filter(({ in: place }) => places.includes(place))
    .map(
      ({
        name,
        in: place,
        required,
        schema,
        description,
      }) => html`<dt><code>${name}</code> <span class="type">${place}, ${inline(
        inWords(schema, linkTo),
      )}${defaultOf(schema.default)}</span>${required && html` <b class="required">required</b>`}</dt>
<dd>${description !== undefined && inline(description)}</dd>`,
    );
  return rows.length > 0 && html`<h4>${title}</h4><dl class="members">${rows}</dl>`;
}

function defaultOf(value: unknown): Html | false {
  return value !== undefined && html`, by default <code>${String(value)}</code>`;
}

function body({ operation: { requestBody }, document }: Located): Html | false {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return fileIn(requestBody);
  const named = isSchema(schema) && typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  const shown = (named && document.components.schemas[named]) || schema;
  const isEmpty = Object.keys(isSchema(shown.properties) ? shown.properties : {}).length === 0;
  return isEmpty
    ? html`<p>The body may be absent.</p>`
    : html`<h4>Body</h4>${members(shown, document.components.schemas, true)}`;
}

function fileIn(requestBody: Operation['requestBody']): Html | false {
  const types = Object.keys(requestBody?.content ?? {}).map((type) => `\`${type}\``);
  return types.length > 0 && html`<h4>Body</h4><p>A file: ${inline(types.join(' or '))}.</p>`;
}

function responses({ operation }: Located, full: Operation): Html {
  const rows = successesOf(full).map(([status, { description, headers }]) => {
    const declared = operation.responses[status];
    const content = declared && 'content' in declared ? declared.content : {};
    const types = Object.entries(content).map(
      ([type, { schema }]) => html`<li><code>${type}</code>: ${inline(contentInWords(schema))}</li>`,
    );
    return html`<dt><code>${status}</code> ${inline(description)}</dt><dd>${types.length > 0 && html`<ul>${types}</ul>`}
<p class="quiet">Headers: ${inline(
      Object.keys(headers)
        .map((name) => `\`${name}\``)
        .join(', '),
    )}</p></dd>`;
  });
  return html`<h4>Responses</h4><dl class="members">${rows}</dl>`;
}

/** The envelopes are told in the conventions: only what lies in them differs. */
function contentInWords(schema: Content[string]['schema']): string {
  if (schema.contentMediaType !== undefined) return 'a file';
  if (Array.isArray(schema.oneOf)) return schema.oneOf.map(contentInWords).join(', or ');
  const { data, edges } = isSchema(schema.properties) ? schema.properties : {};
  if (isSchema(data)) return `\`data\` is ${inWords(data, linkTo)}`;
  const edge =
    isSchema(edges) && isSchema(edges.items) && isSchema(edges.items.properties) && edges.items.properties.node;
  return isSchema(edge) ? `each \`node\` is ${inWords(edge, linkTo)}` : inWords(schema, linkTo);
}

function problems({ document }: Located, full: Operation): Html {
  const all = Object.entries(full.responses)
    .filter(([status]) => Number(status) >= FIRST_PROBLEM)
    .flatMap(([status, response]) => ('content' in response ? examplesOf(response, status) : []));
  const isGeneral = (code: string) => document['x-problems'][code]?.isGeneral === true;
  const own = all
    .filter(({ code }) => !isGeneral(code))
    .map(
      ({
        status,
        code,
        example,
      }) => html`<details id="${full.operationId}-${status}-${code}"><summary><b>${status}</b> <code>${code}</code> ${example.summary}.</summary>
<pre tabindex="0"><code>${JSON.stringify(example.value, null, 2)}</code></pre>
<p><a href="/problems/${code}">Cause and remedy</a></p></details>`,
    );
  const general = all
    .filter(({ code }) => isGeneral(code))
    .map(({ status, code }) => html`<li>${status} <a href="/problems/${code}">${code}</a></li>`);
  return html`<h4>Problems</h4><div class="problems">${own}<ul class="general">${general}</ul></div>`;
}

function examplesOf({ content }: Response, status: string) {
  return Object.entries(content['application/problem+json']?.examples ?? {}).flatMap(([code, example]) =>
    'value' in example ? [{ status, code, example }] : [],
  );
}

function samples({ path, method }: Located, full: Operation): Html {
  const { curl, typescript } = codeSamples(ORIGIN, path, method, full);
  return html`<div class="code"><div class="bar">
<button type="button" data-language="curl" aria-pressed="true">curl</button>
<button type="button" data-language="typescript" aria-pressed="false">TypeScript</button>
<button type="button" data-copies>Copy</button></div>
<pre class="curl" tabindex="0"><code data-sample>${curl}</code></pre>
<pre class="typescript" tabindex="0"><code data-sample>${typescript}</code></pre></div>`;
}

function answers(full: Operation): Html[] {
  return successesOf(full).flatMap(([status, { content }], position) =>
    Object.entries(content).flatMap(([type, { example, examples = {} }]) => {
      const inline: Example[] = example === undefined ? [] : [{ summary: type, value: example }];
      const named = Object.values(examples).flatMap((each) => ('value' in each ? [each] : []));
      return [...inline, ...named].map(
        (
          { summary, value },
          i,
        ) => html`<details class="answer" ${position + i === 0 && html`open`}><summary>Response ${status}, ${summary}</summary>
<pre tabindex="0"><code>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code></pre></details>`,
      );
    }),
  );
}

function successesOf(full: Operation): [string, Response][] {
  return Object.entries(full.responses).flatMap(([status, response]): [string, Response][] =>
    Number(status) < FIRST_PROBLEM && 'content' in response ? [[status, response]] : [],
  );
}

/** A form that the script of the page sends. */
function tryForm({ path, method }: Located, full: Operation): Html {
  const { parameters = [], requestBody, operationId: name } = full;
  const json = requestBody?.content['application/json'];
  const fileTypes = json ? [] : Object.keys(requestBody?.content ?? {});
  const types = [...new Set(successesOf(full).flatMap(([, { content }]) => Object.keys(content)))];
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}">
${parameters.map((parameter) => field(parameter, name))}
${types.length > 1 && html`<label for="${name}-accept">Accept</label><select id="${name}-accept" name="accept" data-in="accept">${types.map((type) => html`<option>${type}</option>`)}</select>`}
${json && html`<label for="${name}-body">Body</label><textarea id="${name}-body" data-in="body" rows="10" spellcheck="false">${JSON.stringify(bodyOf(full) ?? {}, null, 2)}</textarea>`}
${fileTypes.length > 0 && html`<label for="${name}-file">File</label><input id="${name}-file" data-in="file" type="file" accept="${fileTypes.join(',')}" required>`}
<button>Send ${method.toUpperCase()}</button>
<div class="outcome" role="status"></div>
</form></details>`;
}

function field({ name, in: place, required, schema, example }: Parameter, operation: string): Html {
  const id = `${operation}-${name}`;
  const label = html`<label for="${id}">${name}${required && ' (required)'}</label>`;
  const choices = schema.type === 'boolean' ? [true, false] : schema.enum;
  if (Array.isArray(choices)) {
    const options = choices.map((choice) => html`<option>${String(choice)}</option>`);
    return html`${label}<select id="${id}" name="${name}" data-in="${place}"><option></option>${options}</select>`;
  }
  const sample = example === undefined ? '' : String(example);
  return html`${label}<input id="${id}" name="${name}" data-in="${place}" ${required && html`required value="${sample}"`} placeholder="${sample}">`;
}
