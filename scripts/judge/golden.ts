import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';
import { GOLDEN_DOCUMENTS } from './golden-documents.ts';
import type { Judge } from './judge.ts';
import { rulesVersions } from './rules.ts';
import { tryAll } from './trial.ts';

const GOLDEN = join(import.meta.dirname, '../../test/golden/e-invoice');

/** Writes the golden files anew, and the versions of the rules that accepted them. @throws if the rules refuse one */
export async function writeGolden(judge: Judge, folder: string): Promise<void> {
  const names = [...GOLDEN_DOCUMENTS.keys()];
  const files = new Map<string, string>();
  for (const format of E_INVOICE_FORMATS) {
    const trials = await tryAll(judge, format, [...GOLDEN_DOCUMENTS.values()]);
    for (const [position, { document, findings, fatals }] of trials.entries()) {
      const name = `${names[position]}.${format}.xml`;
      if (findings.length + fatals.length > 0) throw new Error(`${name}: ${JSON.stringify({ findings, fatals })}`);
      files.set(name, writeEInvoice(document, format));
    }
  }
  rmSync(GOLDEN, { recursive: true, force: true });
  mkdirSync(GOLDEN);
  for (const [name, xml] of files) writeFileSync(join(GOLDEN, name), xml);
  writeFileSync(join(GOLDEN, 'rules.json'), `${JSON.stringify(rulesVersions(folder), null, 2)}\n`);
}
