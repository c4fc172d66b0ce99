import type { Endpoint } from '#shared/contract/endpoint.ts';
import { EXAMPLE_IDS } from './parameters.ts';
import { type Section, sectionsOf } from './sections.ts';

/** A walk through several operations. */
interface Guide extends Section {
  readonly steps: readonly GuideStep[];
}

export interface GuideStep {
  /** Ends with a link to its operation, if it has a request. */
  readonly text: string;
  readonly request?: string;
  /** A program of the reader's own. */
  readonly program?: string;
}

export const guides: readonly Guide[] = sectionsOf('guides.md').map((section) => {
  const text = section.text.replaceAll(/\{(\w+Id)\}/g, (_, name: string) => exampleId(name));
  return { ...section, text, steps: stepsOf(text) };
});

function exampleId(name: string): string {
  const id = new Map(Object.entries(EXAMPLE_IDS)).get(name);
  if (id === undefined) throw new Error(`guides.md names an id that no example has: ${name}.`);
  return id;
}

/** A request or a program is a block of code, indented because it stands in a list. */
function stepsOf(text: string): GuideStep[] {
  const [, ...steps] = text.replaceAll(/^ {3}/gm, '').split(/^\d+\. /m);
  return steps.map((step) => {
    const [sentence = '', block] = step.split('```');
    const [, language, code] = /^(\w+)\n(.*)$/s.exec(block?.trimEnd() ?? '') ?? [];
    return { text: sentence.trim(), ...(language === 'http' ? { request: code } : { program: code }) };
  });
}

/** Markdown links to the guides that use an operation. */
export function guideLinks({ area, operationId }: Endpoint): string {
  return guides
    .filter(({ text }) => text.includes(`(/docs#/${area}/${operationId})`))
    .map(({ id, title }) => `[${title}](/docs#${id})`)
    .join(', ');
}
