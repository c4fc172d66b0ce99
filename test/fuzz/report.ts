import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

/** `npm run fuzz -- report`: puts the figures of the last runs, as far as they lie in `dist/`, into `test/TRUST.md`. */

const root = join(import.meta.dirname, '../..');

export const figuresFile = (part: string) => join(root, 'dist', `fuzz-${part}.json`);

const BEGIN = '<!-- Between these marks `npm run fuzz -- report` writes. -->';
const END = '<!-- End of what is written. -->';

const numbers = v.record(v.string(), v.number());

const common = { at: v.string(), seed: v.number(), seconds: v.number(), violations: v.array(v.string()) };

const isolation = v.object({
  ...common,
  calls: v.number(),
  compared: v.number(),
  byStatus: numbers,
  canaries: v.number(),
  ids: v.number(),
  cursors: v.number(),
  items: v.number(),
});

const contract = v.object({
  ...common,
  cases: v.number(),
  validCases: v.number(),
  byStatus: numbers,
  documentedOutcomes: v.number(),
  missedOutcomes: v.array(v.string()),
});

const work = v.object({ operations: v.number(), calls: v.number(), faults: numbers, outcomes: numbers });

const faults = v.object({ ...common, undisturbed: work, disturbed: work, storm: work, traffic: v.number() });

const reads = v.object({ ...common, writes: v.number(), reads: v.number(), entries: v.number(), outcomes: numbers });

const rounds = v.object({ ...common, rounds: v.number(), requests: v.number(), outcomes: numbers });

const costs = v.object({
  ...common,
  bodies: v.number(),
  sent: v.number(),
  unpackedMegabytes: v.number(),
  packedMegabytes: v.number(),
  outcomes: numbers,
  longestProcessorMilliseconds: v.number(),
  longestAnswerMilliseconds: v.number(),
  dearest: v.string(),
  endedFunctions: v.number(),
});

const thousands = new Intl.NumberFormat('en');
const count = (value: number) => thousands.format(value);
const listed = (values: Record<string, number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${count(value)}`)
    .join(', ');

type Rows = readonly (readonly [name: string, value: string])[];

const CHAPTERS: Readonly<Record<string, (figures: unknown) => Rows>> = {
  isolation: (figures) => {
    const run = v.parse(isolation, figures);
    return [
      ['calls of the other organization', `${count(run.calls)} (${Math.round(run.calls / run.seconds)} a second)`],
      ['made again with ids that do not exist, and not counted above', count(run.compared)],
      ['answers by status', listed(run.byStatus)],
      ['what could have leaked', `${run.canaries} texts, ${run.ids} ids, ${run.cursors} cursors`],
      ['items compared at the end', count(run.items)],
      ...endingOf(run),
    ];
  },
  contract: (figures) => {
    const run = v.parse(contract, figures);
    const met = run.documentedOutcomes - run.missedOutcomes.length;
    return [
      ['cases', `${count(run.cases)} (${Math.round(run.cases / run.seconds)} a second)`],
      ['of them fit the contract', count(run.validCases)],
      ['answers by status', listed(run.byStatus)],
      ['pairs of operation and status that were met', `${met} of ${run.documentedOutcomes}`],
      ['those that were not', run.missedOutcomes.join(', ')],
      ...endingOf(run),
    ];
  },
  faults: (figures) => {
    const run = v.parse(faults, figures);
    return [
      ['operations without other faults than conflicts, frozen and ended functions', count(run.undisturbed.operations)],
      ['answers', answersOf(run.undisturbed)],
      ['operations with faults', count(run.disturbed.operations)],
      ['calls of the functions to AWS with faults', count(run.disturbed.calls)],
      ['faults', listed(run.disturbed.faults)],
      ['answers', answersOf(run.disturbed)],
      ['calls of an operation with faults to those without', run.traffic.toFixed(3)],
      ['operations while half of all calls fail', count(run.storm.operations)],
      ['answers then', answersOf(run.storm)],
      ...endingOf(run),
    ];
  },
  reads: (figures) => {
    const run = v.parse(reads, figures);
    return [
      ['writes, reads', `${count(run.writes)}, ${count(run.reads)}`],
      ['of them by operation', listed(byOperation(run, (problem) => problem === undefined))],
      ['refused, as was foreseen', listed(byOperation(run, (problem) => problem !== undefined))],
      ['entries at the end', count(run.entries)],
      ...endingOf(run),
    ];
  },
  billing: roundRows,
  comebacks: roundRows,
  costs: (figures) => {
    const run = v.parse(costs, figures);
    return [
      ['bodies, of them over HTTP', `${count(run.bodies)}, ${count(run.sent)}`],
      ['MiB unpacked, as sent', `${count(run.unpackedMegabytes)}, ${count(run.packedMegabytes)}`],
      ['what became of them', listed(run.outcomes)],
      ['most time of a processor for one body', `${count(run.longestProcessorMilliseconds)} ms: ${run.dearest}`],
      ['longest answer', `${count(run.longestAnswerMilliseconds)} ms`],
      ['functions that ended', count(run.endedFunctions)],
      ...endingOf(run),
    ];
  },
};

function roundRows(figures: unknown): Rows {
  const run = v.parse(rounds, figures);
  return [
    ['rounds of eight callers, requests', `${count(run.rounds)}, ${count(run.requests)}`],
    ['answers', answersOf(run)],
    ...endingOf(run),
  ];
}

/** `updateEntry entry_invoiced` -> counted as `updateEntry` */
function byOperation(
  { outcomes }: v.InferOutput<typeof reads>,
  isWanted: (problem: string | undefined) => boolean,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [outcome, times] of Object.entries(outcomes)) {
    const [operationId = '', problem] = outcome.split(' ');
    if (isWanted(problem)) sums[operationId] = (sums[operationId] ?? 0) + times;
  }
  return sums;
}

/** `create entry 409 entry_invoiced` -> counted as 409 */
function answersOf({ outcomes }: { readonly outcomes: v.InferOutput<typeof numbers> }): string {
  const byStatus = Map.groupBy(Object.entries(outcomes), ([outcome]) => / (\d{3})(?: |$)/.exec(outcome)?.[1] ?? '');
  const sums = [...byStatus].map(([status, all]) => [status, all.reduce((sum, [, times]) => sum + times, 0)] as const);
  return listed(Object.fromEntries(sums));
}

function endingOf({ violations, seed, seconds, at }: v.InferOutput<v.ObjectSchema<typeof common, undefined>>): Rows {
  return [
    ['violations', `**${violations.length}**`],
    ['seed, seconds, day', `${seed}, ${Math.round(seconds)}, ${at.slice(0, 10)}`],
  ];
}

export async function writeReport(): Promise<void> {
  const file = join(root, 'test', 'TRUST.md');
  const text = await readFile(file, 'utf8');
  const [head, rest] = text.split(BEGIN);
  const [, tail] = rest?.split(END) ?? [];
  if (head === undefined || tail === undefined) throw new Error('test/TRUST.md has lost its marks.');
  const old = new Map(
    rest
      ?.split(END)[0]
      ?.split('\n\n')
      .map((chapter) => [/^\| (\w+) \|/m.exec(chapter)?.[1], chapter]),
  );
  const chapters = await Promise.all(
    Object.entries(CHAPTERS).map(async ([part, rowsOf]) =>
      existsSync(figuresFile(part)) ? chapterOf(part, rowsOf) : `${old.get(part)?.trim()}\n`,
    ),
  );
  await writeFile(file, `${head}${BEGIN}\n\n${chapters.join('\n')}\n${END}${tail}`);
}

async function chapterOf(part: string, rowsOf: (figures: unknown) => Rows): Promise<string> {
  const rows = rowsOf(JSON.parse(await readFile(figuresFile(part), 'utf8')));
  return `| ${part} | |\n| --- | --- |\n${rows.map(([name, value]) => `| ${name} | ${value} |\n`).join('')}`;
}
