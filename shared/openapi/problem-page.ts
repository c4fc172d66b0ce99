import { PROBLEMS, type ProblemCode } from '#shared/domain/problems.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';
import { PROBLEM_CODES, problemEntries } from './problems.ts';

/** The page of each problem: what its `type` leads to. It has no script. */

/** By the file's name, such as `not_found.html`. */
export function problemPages(): Readonly<Record<string, string>> {
  return Object.fromEntries(PROBLEM_CODES.map((code) => [`${code}.html`, problemPage(code)]));
}

function problemPage(code: ProblemCode): string {
  const { title } = PROBLEMS[code];
  const { happened, remedy } = PROBLEM_TEXTS[code];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${html(title)} - Billwright</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/reference.css">
  </head>
  <body class="problem">
    <header class="masthead">
      <strong>Billwright</strong>
      <span>Problems</span>
      <a href="/docs">API reference</a>
    </header>
    <main>
      <h1>${html(title)}</h1>
      <p><code>${code}</code>, status ${problemEntries()[code]?.status}</p>
      <h2>What happened</h2>
      <p>${html(happened)}</p>
      <h2>What to do</h2>
      <p>${html(remedy)}</p>
    </main>
  </body>
</html>
`;
}

/** The text with its Markdown code as elements. */
function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
