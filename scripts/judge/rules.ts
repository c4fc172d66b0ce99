import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The rules of the authorities, in a folder of clones beside this repository (`CONTRIBUTING.md` tells how to fill it). */

const CEN = 'eInvoicing-EN16931';
const XRECHNUNG = 'xrechnung-schematron';
const PEPPOL = 'peppol-bis-invoice-3/rules/sch';

export type Syntax = 'cii' | 'ubl';

export type RuleSet = `${'cen' | 'xrechnung'}-${Syntax}` | 'peppol' | 'peppol-cen';

interface Rules {
  readonly source: string;
  /** @returns the XSLT, from the root of the folder */
  readonly toXslt: (folder: string) => string;
}

const RULES: Readonly<Record<RuleSet, Rules>> = {
  'cen-cii': cenRules('cii'),
  'cen-ubl': cenRules('ubl'),
  'xrechnung-cii': xrechnungRules('cii'),
  'xrechnung-ubl': xrechnungRules('ubl'),
  peppol: peppolRules('peppol', 'PEPPOL-EN16931-UBL'),
  // Peppol publishes its own edition of CEN's rules.
  'peppol-cen': peppolRules('peppol-cen', 'CEN-EN16931-UBL'),
};

function cenRules(syntax: Syntax): Rules {
  const source = `${CEN}/${syntax}/xslt/EN16931-${syntax.toUpperCase()}-validation.xslt`;
  return { source, toXslt: () => source };
}

/** XRechnung takes over some rules of Peppol. Its own stylesheet merges them, from where its build would put them. */
function xrechnungRules(syntax: Syntax): Rules {
  const schematrons = `${XRECHNUNG}/src/validation/schematron`;
  const built = `${XRECHNUNG}/build/schematron`;
  const name = `${syntax}/XRechnung-${syntax.toUpperCase()}-validation.sch`;
  const toXslt = (folder: string) => {
    cpSync(join(folder, PEPPOL), join(folder, XRECHNUNG, 'build/bis'), { recursive: true });
    cpSync(join(folder, schematrons, 'common.sch'), join(folder, built, 'common.sch'));
    transform(folder, `${XRECHNUNG}/src/xsl/peppol-into-xr.xsl`, `${schematrons}/${name}`, `${built}/${name}`, [
      `syntax=${syntax.toUpperCase()}`,
    ]);
    return fromSchematron(folder, `xrechnung-${syntax}`, `${built}/${name}`);
  };
  return { source: `${schematrons}/${name}`, toXslt };
}

function peppolRules(ruleSet: RuleSet, name: string): Rules {
  const source = `${PEPPOL}/${name}.sch`;
  return { source, toXslt: (folder) => fromSchematron(folder, ruleSet, source) };
}

const SCHXSLT = 'schxslt/core/src/main/resources/xslt/2.0/pipeline-for-svrl.xsl';

function fromSchematron(folder: string, name: RuleSet, schematron: string): string {
  const xslt = `compiled/${name}.xsl`;
  transform(folder, SCHXSLT, schematron, xslt);
  return xslt;
}

function transform(
  folder: string,
  stylesheet: string,
  source: string,
  result: string,
  parameters: readonly string[] = [],
): void {
  const [xsl, s, o] = [stylesheet, source, result].map((name) => join(folder, name));
  xslt3(folder, [`-xsl:${xsl}`, `-s:${s}`, `-o:${o}`, ...parameters]);
}

function xslt3(folder: string, options: readonly string[]): void {
  execFileSync(process.execPath, [join(folder, 'node_modules/xslt3/xslt3.js'), ...options], { stdio: 'inherit' });
}

/** The program that Saxon runs, compiled anew where its source is newer. */
export function compiledRules(folder: string, name: RuleSet): object {
  const { source, toXslt } = RULES[name];
  const program = join(folder, 'compiled', `${name}.sef.json`);
  if (!existsSync(program) || statSync(program).mtime < statSync(join(folder, source)).mtime) {
    console.log(`Compiling ${source}.`);
    xslt3(folder, [`-xsl:${join(folder, toXslt(folder))}`, `-export:${program}`, '-nogo']);
  }
  return JSON.parse(readFileSync(program, 'utf8'));
}

const VERSIONS: Readonly<Record<string, readonly [file: string, pattern: RegExp]>> = {
  'EN 16931 by CEN': [RULES['cen-ubl'].source, /Schematron version ([\d.]+)/],
  XRechnung: [`${XRECHNUNG}/build.xml`, /"xrechnung\.version" value="(.+?)"/],
  'XRechnung Schematron': [`${XRECHNUNG}/build.xml`, /"xr-schematron\.version\.full" value="(.+?)"/],
  'Peppol BIS Billing': [RULES.peppol.source, /release ([\d.]*\d)/],
};

/** As the rules themselves say. */
export function rulesVersions(folder: string): Record<string, string> {
  const versions = Object.entries(VERSIONS).map(([name, [file, pattern]]) => {
    const [, version = 'unknown'] = pattern.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    return [name, version] as const;
  });
  return Object.fromEntries(versions);
}
