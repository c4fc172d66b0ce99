import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

/** Schematron does not see a wrong order of elements: the XML Schemas of both syntaxes do. */

interface NamedFile {
  readonly fileName: string;
  readonly contents: string;
}

/** The part of `xmllint-wasm` that runs here. */
interface Lint {
  validateXML(options: {
    readonly xml: readonly NamedFile[];
    readonly schema: readonly NamedFile[];
    /** The schema imports them. */
    readonly preload: readonly NamedFile[];
    readonly maxMemoryPages: number;
  }): Promise<{ readonly errors: readonly LintError[] }>;
}

interface LintError {
  readonly message: string;
  readonly loc: { readonly fileName: string } | null;
}

const CII = 'eInvoicing-EN16931/cii/schema/D16B SCRDM (Subset)/uncoupled clm/CII/uncefact';

const UBL = 'UBL-2.1/xsd';

/** By the root of a document. */
const SCHEMAS = {
  Invoice: { main: `${UBL}/maindoc/UBL-Invoice-2.1.xsd`, imported: `${UBL}/common/*.xsd` },
  CreditNote: { main: `${UBL}/maindoc/UBL-CreditNote-2.1.xsd`, imported: `${UBL}/common/*.xsd` },
  CrossIndustryInvoice: { main: `${CII}/data/standard/CrossIndustryInvoice_100pD16B.xsd`, imported: `${CII}/**/*.xsd` },
} as const;

type Root = keyof typeof SCHEMAS;

function rootOf(xml: string): Root {
  const name = /<(?:\w+:)?(Invoice|CreditNote|CrossIndustryInvoice)\b/.exec(xml)?.[1];
  return name === 'Invoice' || name === 'CreditNote' ? name : 'CrossIndustryInvoice';
}

const TWO_GIBIBYTES_OF_PAGES = 2 * 16_384;

/** @param documents well-formed XML @returns the faults of each */
export async function schemaFaults(folder: string, documents: readonly string[]): Promise<string[][]> {
  const { validateXML }: Lint = createRequire(join(folder, 'package.json'))('xmllint-wasm');
  const faults = documents.map((): string[] => []);
  const positions = Map.groupBy(documents.keys(), (position) => rootOf(documents[position] ?? ''));
  for (const [root, ofRoot] of positions) {
    const { errors } = await validateXML({
      xml: ofRoot.map((position) => ({ fileName: `${position}`, contents: documents[position] ?? '' })),
      ...schemaOf(folder, root),
      maxMemoryPages: TWO_GIBIBYTES_OF_PAGES,
    });
    for (const { message, loc } of errors) faults[Number(loc?.fileName)]?.push(message);
  }
  return faults;
}

function schemaOf(folder: string, root: Root) {
  const { main, imported } = SCHEMAS[root];
  const file = join(folder, main);
  const others = globSync(join(folder, imported)).filter((other) => other !== file);
  return { schema: [flat(file)], preload: others.map(flat) };
}

/** xmllint knows no folders, so a schema imports others by their names alone. */
function flat(file: string): NamedFile {
  const contents = readFileSync(file, 'utf8').replaceAll(/(schemaLocation=")[^"]*\//g, '$1');
  return { fileName: basename(file), contents };
}
