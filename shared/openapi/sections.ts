import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Section {
  /** Its anchor: `Paging and syncing` -> `paging-and-syncing`. */
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** The parts of a document of this folder, which a build reads: functions have only what is made of it. */
export function sectionsOf(document: string): Section[] {
  const [, ...parts] = readFileSync(join(import.meta.dirname, document), 'utf8').split(/^## /m);
  return parts.map((part) => {
    const [title = ''] = part.split('\n', 1);
    return { id: title.toLowerCase().replaceAll(' ', '-'), title, text: part.slice(title.length).trim() };
  });
}
