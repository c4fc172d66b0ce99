import type { OpenApiDocument } from '../document.ts';
import { type GuideStep, guides } from '../guides.ts';
import { conventions, TENANCY } from '../introduction.ts';
import { listedIds } from './example-ids.ts';
import { type Html, html } from './html.ts';
import { blocks, inline } from './markdown.ts';
import { members } from './members.ts';
import { type Located, ORIGIN, operationArticle, operationId } from './operation-article.ts';

const CLIENT = `import createClient from "openapi-fetch";
import type { paths } from "./billwright.ts";

const api = createClient<paths>({
  baseUrl: "${ORIGIN}",
  headers: { Authorization: \`Bearer \${process.env.API_KEY}\` },
});`;

/** The whole reference. Its script shows a part of it at a time, searches, and sends requests. */
export function referencePage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Located => ({ path, method, operation, document })),
  );
  const areas = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const schemas = Object.entries(document.components.schemas).filter(([, { properties }]) => properties !== undefined);
  return html`<!doctype html>
<html lang="en" data-language="curl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Billwright API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#quickstart">Skip to the text</a>
<header class="masthead">
<strong>Billwright</strong> <span>API reference</span>
<form class="key" role="search" aria-label="Authorize"><label for="key">API key or token</label>
<input id="key" type="password" autocomplete="off" placeholder="bw_... or eyJ..." spellcheck="false"><select id="organization" aria-label="Organization" hidden></select><span id="key-state" role="status"></span></form>
<nav aria-label="Formats"><a href="/openapi.json">openapi.json</a></nav>
</header>
<div class="page">
<nav class="contents" aria-label="Contents">
<div class="search"><label for="search">Search</label>
<input id="search" type="search" placeholder="Names, paths, texts ( / )"><span id="found" role="status"></span></div>
<button type="button" class="menu" aria-expanded="false">Contents</button>
<div class="links">
${group('Start', [entry('quickstart', 'Quickstart'), ...guides.map(({ id, title }) => entry(id, title))])}
${group(
  'Conventions',
  conventions().map(({ id, title }) => entry(id, title)),
)}
${areas.map(({ name, operations }) => group(name, operations.map(operationEntry)))}
${group(
  'Schemas',
  schemas.map(([name]) => entry(`schema-${name}`, name)),
)}
</div>
</nav>
<main data-examples="${JSON.stringify(listedIds(document))}">
<div class="part">
<section id="quickstart">
<h1>Billwright ${document.info.version}</h1>
<p>${document.info.summary} ${TENANCY}</p>
<h2>Quickstart</h2>
<p>Base URL: <code data-sample>${ORIGIN}</code>. Enter an API key above, or the token of a person who has signed in, and each operation can be tried here. On your own machine <code>npm start</code> prints a key, and <code>npm start -- --demo-data</code> adds a month of work to look at. Then ask whose key it is:</p>
<pre tabindex="0"><code data-sample>export API_KEY=bw_...
curl ${ORIGIN}/v1/me -H "Authorization: Bearer $API_KEY"</code></pre>
<p>For TypeScript, the <a href="/openapi.json">document</a> gives a client its types: <code data-sample>npm install openapi-fetch openapi-typescript typescript@5 &amp;&amp; npx openapi-typescript ${ORIGIN}/openapi.json -o billwright.ts</code>. The samples in TypeScript call it by this name:</p>
<pre tabindex="0"><code data-sample>${CLIENT}</code></pre>
</section>
<h2 id="guides">Guides</h2>
${guides.map(
  ({ id, title, steps }) => html`<section id="${id}"><h3>${title}</h3>
<ol>${steps.map(guideStep)}</ol></section>`,
)}
</div>
<div class="part">
<h2 id="conventions">Conventions</h2>
${conventions().map(({ id, title, text }) => html`<section id="${id}"><h3>${title}</h3>${blocks(text)}</section>`)}
</div>
${areas.map(
  ({
    name,
    description,
    operations,
  }) => html`<section class="area part" id="${name}"><h2>${titled(name)}</h2><p>${description}</p>
${operations.map(operationArticle)}</section>`,
)}
<div class="part">
<h2 id="schemas">Schemas</h2>
${schemas.map(
  ([name, schema]) => html`<section class="schema" id="schema-${name}"><h3>${name}</h3>
${typeof schema.description === 'string' && html`<p>${inline(schema.description)}</p>`}
${members(schema, document.components.schemas, false)}</section>`,
)}
</div>
</main>
</div>
</body>
</html>
`.text;
}

function group(title: string, entries: readonly Html[]): Html {
  return html`<div class="group"><h2>${titled(title)}</h2><ul>${entries}</ul></div>`;
}

function entry(id: string, title: string): Html {
  return html`<li><a href="#${id}">${title}</a></li>`;
}

function operationEntry(located: Located): Html {
  const { method, path, operation } = located;
  return html`<li><a href="#${operationId(located)}" title="${method.toUpperCase()} ${path}"><b class="method ${method}">${method}</b> ${
    operation.summary
  }</a></li>`;
}

function titled(name: string): string {
  return name.replace(/^./, (letter) => letter.toUpperCase());
}

/** It links to its operation on this page. */
function guideStep({ text, request, program }: GuideStep): Html {
  const code =
    (request && html`\n<pre tabindex="0"><code data-sample>${request}</code></pre>`) ||
    (program && html`\n<pre tabindex="0"><code>${program}</code></pre>`);
  return html`<li>${inline(text.replace('(/docs#', '(#'))}${code}</li>`;
}
