/** A Markdown table; every row has as many cells as the head. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

const BEGIN = '<!-- figures -->\n';
const END = '\n<!-- end of figures -->';

/**
 * Replaces what stands between the two marks of a document, which are comments.
 *
 * @throws Error when the document lacks them
 */
export function withFigures(document: string, figures: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('There are no marks to write figures between.');
  return `${document.slice(0, begin)}${BEGIN}\n${figures}\n${document.slice(end)}`;
}
