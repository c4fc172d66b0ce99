import { type Html, html, type Part } from './html.ts';

/** The Markdown that our texts use: paragraphs, lists, tables, code and links. */

export function blocks(text: string): Html[] {
  return text === '' ? [] : text.split('\n\n').map(block);
}

function block(text: string): Html {
  const lines = text.split('\n');
  if (text.startsWith('- '))
    return html`<ul>${lines.map((line) => html`<li>${inline(line.slice('- '.length))}</li>`)}</ul>`;
  if (text.startsWith('| ')) return table(lines);
  return html`<p>${inline(text)}</p>`;
}

function table([head = '', , ...rows]: readonly string[]): Html {
  const cells = (line: string) => line.split('|').slice(1, -1);
  return html`<div class="wide"><table>
<thead><tr>${cells(head).map((cell) => html`<th scope="col">${inline(cell.trim())}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${inline(cell.trim())}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

const SPAN = /(`[^`]+`|\[[^[\]]+\]\([^()]+\))/;

export function inline(text: string): Part[] {
  return text.split(SPAN).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, label = '', target = ''] = /^\[([^[\]]+)\]\(([^()]+)\)$/.exec(part) ?? [];
    return label ? html`<a href="${target}">${inline(label)}</a>` : part;
  });
}
