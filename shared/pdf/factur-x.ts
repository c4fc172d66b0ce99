import type { PDFDocument } from 'pdfkit';
import { readPackageFile } from '#shared/runtime/package-files.ts';
import { PDF_UA } from './pdf-ua.ts';

/**
 * Factur-X 1.0, profile EN 16931: a PDF/A-3a document (ISO 19005-3) with the same invoice as XML in it. Here is what
 * such a document has beyond ours that are only PDF/UA-1. It may claim level A, as all of its text is in the structure
 * tree, has spaces between all words, and can be copied. `test/pdf/factur-x.test.ts` goes through the clauses.
 *
 * @param xml for credit notes, too, which are documents of the type `INVOICE`
 */
export function makeFacturX(document: PDFDocument, xml: string, date: Date): void {
  document.appendXML(METADATA);
  attach(document, xml, date);
  addOutputIntent(document);
  for (const { unicode } of Object.values(document._fontFamilies))
    unicode.forEach((codePoints, glyph) => {
      unicode[glyph] = codePoints.map((codePoint) => (isText(codePoint) ? codePoint : REPLACEMENT_CHARACTER));
    });
}

const FILE_NAME = 'factur-x.xml';

const FACTUR_X = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** PDF/A knows some vocabularies. A document describes the others that it uses. */
const METADATA = `
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
  <pdfaid:part>3</pdfaid:part>
  <pdfaid:conformance>A</pdfaid:conformance>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:fx="${FACTUR_X}">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>${FILE_NAME}</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas>
    <rdf:Bag>
      ${vocabulary('Factur-X PDFA Extension Schema', FACTUR_X, 'fx', [
        ['DocumentType', 'Text', 'external', 'The type of the hybrid document'],
        ['DocumentFileName', 'Text', 'external', 'The name of the embedded XML document'],
        ['Version', 'Text', 'external', 'The version of the standard of the embedded XML document'],
        ['ConformanceLevel', 'Text', 'external', 'The conformance level of the embedded XML document'],
      ])}
      ${vocabulary('PDF/UA identification schema', PDF_UA, 'pdfuaid', [
        ['part', 'Integer', 'internal', 'The part of ISO 14289 to which the document conforms'],
      ])}
    </rdf:Bag>
  </pdfaExtension:schemas>
</rdf:Description>`;

type Property = readonly [name: string, type: 'Integer' | 'Text', category: string, description: string];

function vocabulary(title: string, namespace: string, prefix: string, properties: readonly Property[]): string {
  const described = properties.map(
    ([name, type, category, description]) => `<rdf:li rdf:parseType="Resource">
        <pdfaProperty:name>${name}</pdfaProperty:name>
        <pdfaProperty:valueType>${type}</pdfaProperty:valueType>
        <pdfaProperty:category>${category}</pdfaProperty:category>
        <pdfaProperty:description>${description}</pdfaProperty:description>
      </rdf:li>`,
  );
  return `<rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>${title}</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq>${described.join('')}</rdf:Seq></pdfaSchema:property>
  </rdf:li>`;
}

/** pdfkit's own `file` adds a checksum in hexadecimal digits, but PDF has its bytes there. */
function attach(document: PDFDocument, xml: string, date: Date): void {
  const bytes = new TextEncoder().encode(xml);
  const content = document.ref({
    Type: 'EmbeddedFile',
    Subtype: 'text#2Fxml',
    Params: { ModDate: date, Size: bytes.length },
  });
  content.end(bytes);
  const file = document.ref({
    Type: 'Filespec',
    F: text(FILE_NAME),
    UF: text(FILE_NAME),
    Desc: text('The invoice as XML (EN 16931)'),
    AFRelationship: 'Alternative',
    EF: { F: content, UF: content },
  });
  file.end();
  document.addNamedEmbeddedFile(FILE_NAME, file);
  document._root.data.AF = [file];
}

/** From the International Color Consortium, in pdfkit's package. pdfkit's own subset looks for it beside its own code. */
export const COLOUR_PROFILE = 'pdfkit/js/data/sRGB_IEC61966_2_1.icc';

/** It says which red, green and blue our colours are. */
function addOutputIntent(document: PDFDocument): void {
  const profile = document.ref({ N: 3 });
  profile.end(readPackageFile(COLOUR_PROFILE));
  const intent = document.ref({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: text('sRGB IEC61966-2.1'),
    Info: text('sRGB IEC61966-2.1'),
    DestOutputProfile: profile,
  });
  intent.end();
  document._root.data.OutputIntents = [intent];
}

/** pdfkit writes a primitive string as a name. */
function text(value: string): object {
  return Object(value);
}

const REPLACEMENT_CHARACTER = 0xfffd;

/** PDF/A takes no zero, which pdfkit gives the glyph for what is missing, nor characters whose meaning is private. */
function isText(codePoint: number): boolean {
  return codePoint !== 0 && !/\p{Co}/u.test(String.fromCodePoint(codePoint));
}
