import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { E_INVOICE_FORMATS, type EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import type { Judge } from './judge.ts';

/** The authors' own documents, which show that the judge accepts what it should, and refuses what it should. */

const XRECHNUNG = 'xrechnung-testsuite/src/test/business-cases/standard';

const VALID: Readonly<Record<EInvoiceFormat, string>> = {
  'en16931-cii': `${XRECHNUNG}/*_uncefact.xml`,
  'en16931-ubl': `${XRECHNUNG}/*_ubl.xml`,
  'xrechnung-cii': `${XRECHNUNG}/*_uncefact.xml`,
  'xrechnung-ubl': `${XRECHNUNG}/*_ubl.xml`,
  'peppol-bis': 'peppol-bis-invoice-3/rules/examples/*.xml',
};

interface Spoilt {
  readonly format: EInvoiceFormat;
  readonly file: string;
  readonly spoil: (xml: string) => string;
  readonly rule: string;
}

const without = (element: string) => (xml: string) => {
  const end = `</${element}>`;
  return xml.slice(0, xml.indexOf(`<${element}`)) + xml.slice(xml.indexOf(end) + end.length);
};

const withBehind = (place: string, added: string) => (xml: string) => xml.replace(place, `${place}${added}`);

const CII = `${XRECHNUNG}/01.01a-INVOICE_uncefact.xml`;
const UBL = `${XRECHNUNG}/01.01a-INVOICE_ubl.xml`;
const PEPPOL = 'peppol-bis-invoice-3/rules/examples/base-example.xml';
const TOTAL = '<cbc:TaxInclusiveAmount currencyID="EUR">';

const SPOILT: readonly Spoilt[] = [
  { format: 'en16931-cii', file: CII, spoil: withBehind('<ram:InvoiceCurrencyCode>', 'X'), rule: 'BR-CL-04' },
  { format: 'en16931-cii', file: CII, spoil: withBehind('<ram:GrandTotalAmount>', '9'), rule: 'BR-CO-15' },
  { format: 'en16931-ubl', file: UBL, spoil: withBehind(TOTAL, '9'), rule: 'BR-CO-15' },
  { format: 'en16931-ubl', file: UBL, spoil: without('cbc:IssueDate'), rule: 'BR-03' },
  {
    format: 'en16931-ubl',
    file: UBL,
    spoil: withBehind('</cbc:IssueDate>', '<cbc:Note>Early</cbc:Note>'),
    rule: 'XSD',
  },
  { format: 'en16931-ubl', file: UBL, spoil: withBehind('</cbc:IssueDate>', '<'), rule: 'XML' },
  { format: 'xrechnung-cii', file: CII, spoil: without('ram:BuyerReference'), rule: 'BR-DE-15' },
  { format: 'xrechnung-ubl', file: UBL, spoil: without('cbc:BuyerReference'), rule: 'BR-DE-15' },
  { format: 'xrechnung-ubl', file: UBL, spoil: without('cbc:EndpointID'), rule: 'PEPPOL-EN16931-R020' },
  { format: 'peppol-bis', file: PEPPOL, spoil: without('cbc:EndpointID'), rule: 'PEPPOL-EN16931-R020' },
];

/** @throws if the judge decides otherwise than the authors */
export async function proveJudge(judge: Judge, folder: string): Promise<string> {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  let accepted = 0;
  for (const format of E_INVOICE_FORMATS) {
    const documents = globSync(VALID[format], { cwd: folder }).map(read);
    const refused = (await judge.judge(format, documents)).flat();
    if (documents.length === 0 || refused.length > 0) {
      throw new Error(`Of ${documents.length} examples of ${format}, some are refused: ${JSON.stringify(refused)}`);
    }
    accepted += documents.length;
  }
  for (const { format, file, spoil, rule } of SPOILT) {
    const [fatals = []] = await judge.judge(format, [spoil(read(file))]);
    if (!fatals.some((fatal) => fatal.rule.startsWith(rule))) {
      throw new Error(`${format} finds ${JSON.stringify(fatals)} in a document that breaks ${rule}.`);
    }
  }
  return `${accepted} examples of the authors accepted, ${SPOILT.length} spoilt ones refused by the rule that they break`;
}
