/** Matches the text of an AWS pattern: `*` stands for any text, `?` for any one character, the rest for itself. */
export function wildcard(pattern: string, flags = ''): RegExp {
  const source = escaped(pattern).replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${source}$`, `s${flags}`);
}

function escaped(pattern: string): string {
  return pattern.replace(/[\\^$.+()[\]{}|]/g, '\\$&');
}
