import { type Endpoint, problemsOf } from '#shared/contract/endpoint.ts';
import { PROBLEMS, type ProblemCode } from '#shared/domain/problems.ts';
import { PROBLEM_TEXTS } from '../problem-texts.ts';
import { generalProblems, PROBLEM_CODES, problemExample, statusesOf } from '../problems.ts';
import { type Html, html } from './html.ts';
import { inline } from './markdown.ts';

/** The page behind the `type` of each problem, by its file name, such as `not_found.html`. */
export function problemPages(routes: readonly Endpoint[]): Readonly<Record<string, string>> {
  return Object.fromEntries(PROBLEM_CODES.map((code) => [`${code}.html`, problemPage(code, routes)]));
}

function problemPage(code: ProblemCode, routes: readonly Endpoint[]): string {
  const { title } = PROBLEMS[code];
  const { happened, remedy } = PROBLEM_TEXTS[code];
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} - Billwright</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/reference.css">
  </head>
  <body class="problem">
    <header class="masthead">
      <strong>Billwright</strong>
      <span>Problems</span>
      <nav>
        <a href="/docs">API reference</a>
        <a href="/docs#guides">Guides</a>
        <a href="/docs#problems">All problems</a>
      </nav>
    </header>
    <main>
      <h1>${title}</h1>
      <p><code>${code}</code>, status ${statusesOf(code).join(' or ')}</p>
      <h2>Cause</h2>
      <p>${inline(happened)}</p>
      <h2>Remedy</h2>
      <p>${inline(remedy)}</p>
      <h2>Example</h2>
      <pre>${JSON.stringify(problemExample(code, routes).value, null, 2)}</pre>
${origin(code, routes)}    </main>
  </body>
</html>
`.text;
}

/** The operations that answer it. A general problem has too many to list. */
function origin(code: ProblemCode, routes: readonly Endpoint[]): Html | false {
  const operations = routes.filter((route) => problemsOf(route).includes(code));
  if (operations.length === 0 || generalProblems(routes).has(code)) return false;
  const items = operations.map(
    ({ area, operationId, summary }) => html`        <li><a href="/docs#/${area}/${operationId}">${summary}</a></li>\n`,
  );
  return html`      <h2>Operations</h2>\n      <ul>\n${items}      </ul>\n`;
}
