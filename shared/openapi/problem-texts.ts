import { PROBLEMS, type ProblemCode, type Violation } from '#shared/domain/problems.ts';
import { type Section, sectionsOf } from './sections.ts';

/** A section of `problems.md`, which says how it is written. */
export interface ProblemText {
  readonly happened: string;
  readonly remedy: string;
  /** By operation; those of all others have an empty name. By default, the detail of the fault. */
  readonly details: Readonly<Record<string, string>>;
  /** An operation shows the first one that can occur in it. */
  readonly faults: readonly Violation[];
}

/** A detail or a fault: `> The description is empty.`, ``- `limit`: Expected a number of at least 1. (range)``. */
const SAMPLE = /^([->]) (?:`([^:]+)`: )?(.+\.)(?: \((\w+)(?:, (\S+))?\))?$/;

export const PROBLEM_TEXTS = problemTexts(sectionsOf('problems.md'));

export function problemTexts(sections: readonly Section[]): Readonly<Record<ProblemCode, ProblemText>> {
  const codes = Object.keys(PROBLEMS);
  const misfit = [...codes, undefined].findIndex((code, position) => sections[position]?.title !== code);
  if (misfit !== -1) throw new Error(`problems.md has ${sections[misfit]?.title} where PROBLEMS has ${codes[misfit]}.`);
  const texts = sections.map(({ title, text }) => [title, problemText(title, text)]);
  return Object.fromEntries(texts) as Record<ProblemCode, ProblemText>;
}

function problemText(problem: string, text: string): ProblemText {
  const [happened = '', remedy = '', ...samples] = text.split('\n\n');
  const details: Record<string, string> = {};
  const faults: Violation[] = [];
  for (const line of samples.flatMap((block) => block.split('\n'))) {
    const [, mark, names = '', message, code = problem, rule] = SAMPLE.exec(line) ?? [];
    if (message === undefined)
      throw new Error(`problems.md has under ${problem} neither a detail nor a fault: ${line}`);
    for (const name of names.split('`, `')) {
      if (mark === '>') details[name] = message;
      else faults.push({ path: name, message, code, ...(rule && { rule }) });
    }
  }
  return { happened, remedy, details, faults };
}
