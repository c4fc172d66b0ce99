import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { markdownTable } from '#scripts/bench/markdown.ts';
import { report } from '#scripts/bench/report.ts';
import { E_INVOICE_FORMATS, type EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { parseMinor } from '#shared/domain/money.ts';
import { drawnDocument } from './drawn-documents.ts';
import { proveJudge } from './examples.ts';
import { writeGolden } from './golden.ts';
import { Judge } from './judge.ts';
import { rulesVersions } from './rules.ts';
import { type Outcome, outcomeOf, RULES_OF_THE_CONTRACT, type Trial, tryAll } from './trial.ts';

const E_INVOICES = {
  title: 'E-invoices',
  meaning:
    'Whether the rules that authorities and networks apply take our e-invoices, and whether our own check, before an invoice gets its number, says the same as these rules.',
};

/**
 * `npm run judge -- --rules FOLDER [--count N] [--seed N] [--golden]`: writes random documents in every format, and
 * compares our check with the rules of CEN, XRechnung and Peppol. What differs goes into `dist/judge/`, and makes the
 * command fail. With all documents the figures go into the report. `--golden` writes the golden files anew instead.
 */

const ALL = 2_000;
const SEED = 1;

const OUTCOMES = [
  'accepted',
  'refused',
  'refusedByContract',
  'wronglyAccepted',
  'wronglyRefused',
] as const satisfies Outcome[];

/** From here on the validators' binary floats lose cents. */
const MORE_THAN_FLOATS_HOLD = 10n ** 15n;

const { values } = parseArgs({
  options: {
    rules: { type: 'string' },
    count: { type: 'string', default: String(ALL) },
    seed: { type: 'string', default: String(SEED) },
    golden: { type: 'boolean', default: false },
  },
});
if (values.rules === undefined) throw new Error('Name the folder of the rules: --rules FOLDER (see CONTRIBUTING.md).');
const folder = resolve(values.rules);
const judge = new Judge(folder);
const [count, seed] = [Number(values.count), Number(values.seed)];

const proof = await proveJudge(judge, folder);
console.log(`${proof}.`);
if (values.golden) await writeGolden(judge, folder);
else await report(E_INVOICES, count !== ALL, () => judgeAll(fc.sample(drawnDocument, { numRuns: count, seed })));

async function judgeAll(documents: readonly PrintedInvoice[]): Promise<string> {
  const rows: string[][] = [];
  for (const format of E_INVOICE_FORMATS) {
    const trials = await tryAll(judge, format, documents);
    const byOutcome = Map.groupBy(trials, outcomeOf);
    const countOf = (outcome: Outcome) => String(byOutcome.get(outcome)?.length ?? 0);
    const wrong = [...(byOutcome.get('wronglyAccepted') ?? []), ...(byOutcome.get('wronglyRefused') ?? [])];
    if (wrong.length > 0) tell(format, wrong);
    rows.push([format, ...OUTCOMES.map(countOf)]);
    console.log(`${format}: ${OUTCOMES.map((outcome) => `${countOf(outcome)} ${outcome}`).join(', ')}.`);
  }
  const creditNotes = documents.filter(({ corrects }) => corrects).length;
  const large = documents.filter(({ total }) => parseMinor(total) >= MORE_THAN_FLOATS_HOLD).length;
  const versions = Object.entries(rulesVersions(folder)).map(([name, version]) => `${name} ${version}`);
  const own = Object.entries(RULES_OF_THE_CONTRACT).map(([rule, reason]) => `\`${rule}\` (${reason})`);
  return [
    `${documents.length.toLocaleString('en')} documents of seed ${seed}, ${creditNotes.toLocaleString('en')} of them credit notes, ${large.toLocaleString('en')} of 10^15 minor units or more, each in every format, judged by the rules of ${versions.join(', ')}, and by the XML Schemas of both syntaxes. Before that, the judge was tried: ${proof}.`,
    markdownTable(
      [
        'format',
        'accepted by both',
        'refused by both',
        'refused by us, as the contract demands',
        'wrongly accepted',
        'wrongly refused',
      ],
      rows,
    ),
    `Refused by us alone, as the contract demands: ${own.join('; ')}. Anything else that we alone refuse is wrongly refused.`,
  ].join('\n\n');
}

/** Each rule with the shortest document that shows it, since that is the easiest to understand. */
function tell(format: EInvoiceFormat, wrong: readonly Trial[]): void {
  const directory = join(import.meta.dirname, '../../dist/judge');
  mkdirSync(directory, { recursive: true });
  const byRule = Map.groupBy(wrong, ({ findings, fatals }) => [...fatals, ...findings][0]?.rule ?? '');
  for (const [rule, trials] of byRule) {
    const [shortest] = trials
      .map((trial) => JSON.stringify(trial, null, 2))
      .sort((one, other) => one.length - other.length);
    const file = join(directory, `${format}-${rule}.json`);
    writeFileSync(file, `${shortest}\n`);
    console.error(`${format}: ${rule} in ${trials.length} documents, such as ${file}`);
  }
  process.exitCode = 1;
}
