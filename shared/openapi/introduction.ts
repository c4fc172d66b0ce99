import { PROBLEMS } from '#shared/domain/problems.ts';
import { guides } from './guides.ts';
import { PROBLEM_CODES, statusesOf } from './problems.ts';
import { type Section, sectionsOf } from './sections.ts';

/** The introduction of the reference, in Markdown. */
export function introduction(): string {
  return [
    TENANCY,
    heading('guides', 'Guides'),
    ...guides.map(folded),
    heading('conventions', 'Conventions'),
    ...conventions().map(folded),
  ].join('\n\n');
}

export function conventions(): Section[] {
  return sectionsOf('conventions.md').map((section) =>
    section.id === 'problems' ? { ...section, text: `${section.text}\n${problemRows()}` } : section,
  );
}

export const TENANCY =
  "Every request acts for the organization of its API key, or of the person who has signed in. Another organization's resources answer exactly like missing ones. A key of the platform only makes, lists and deletes organizations.";

function heading(id: string, text: string): string {
  return `<h2 id="${id}">${text}</h2>`;
}

/** Folded, so that it does not push the operations out of sight. */
function folded({ id, title, text }: Section): string {
  return `<details id="${id}">\n<summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** Of the table that `conventions.md` ends with. */
function problemRows(): string {
  return PROBLEM_CODES.flatMap((code) =>
    statusesOf(code).map((status) => [status, `[\`${code}\`](/problems/${code})`, PROBLEMS[code].title] as const),
  )
    .sort(([a], [b]) => a - b)
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}
