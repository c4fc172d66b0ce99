import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { ADOBE, jpeg, png } from '#test/support/pictures.ts';
import { drawn, item, PROFILE, printed } from './printed.ts';
import { fontsOf, shownGlyphs } from './read-fonts.ts';
import {
  dictionariesOf,
  dictionary,
  isName,
  operationsOf,
  readObjects,
  referred,
  streamOf,
  within,
} from './read-objects.ts';
import { allText, readPdf } from './read-pdf.ts';
import { allOf, readStructure } from './read-structure.ts';

/** Every object of a document, clause by clause of ISO 19005-3. `test/TRUST.md` says what is not checked here. */

const XML = `<?xml version="1.0" encoding="UTF-8"?>\n<note>${'Grüße an 深圳 🚀 '.repeat(200)}</note>\n`;

const SENTENCE = 'A sentence of some words that goes on over the end of its line.';
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaft'.repeat(4);
const CHINESE = '深圳市腾讯计算机系统有限公司'.repeat(5);

const SCRIPTS = [
  ...['Łódź ß ﬁ ', 'Ελληνική ', 'Общество ', 'ייעוץ (2026) ', 'شركة النيل للتجارة ', 'हिन्दी क्षेत्रीय ', 'ক্ষ '],
  ...['ខ្មែរ ', 'မြန်မာ ', CHINESE, '株式会社 髙島屋 ', '주식회사 한국상사 ', '🚀 👩‍💻 🇩🇪 ', '✓ ∑ 𝒳 ① '],
  ...['\u{12000} \ue000 \u{f0000} ', LONG_WORD],
];

const INVOICES: Readonly<Record<string, PrintedInvoice>> = {
  'with a QR code and a link': printed({
    paymentUrl: 'https://zahlen.example/büro',
    seller: { ...PROFILE, iban: 'DE02120300000000202051', bic: 'BYLADEM1001', accountName: 'Acme' },
    locale: 'de',
  }),
  'in many scripts': printed({
    seller: { ...PROFILE, name: 'A & B <名> 🚀' },
    lineItems: SCRIPTS.map((text) => item({ name: text, description: text.repeat(3) })),
    notes: `${SENTENCE.repeat(3)}\n${LONG_WORD}\n${CHINESE}`,
  }),
  'of many pages': printed({
    seller: PROFILE,
    lineItems: Array.from({ length: 90 }, (_, index) => item({ name: `Ticket ${index + 1}.`, description: SENTENCE })),
  }),
  'that is a credit note': printed({
    status: 'credited',
    number: 'CN-000001',
    corrects: { number: 'INV-000042', issueDate: '2026-11-03', reason: 'Too many hours' },
  }),
};

async function read(invoice: PrintedInvoice, logo?: Uint8Array) {
  const bytes = await drawn(invoice, { facturX: XML, logo });
  const file = readObjects(bytes);
  const values = [...file.objects.values()].flatMap(({ value }) => [...within(value)]);
  const dictionaries = dictionariesOf(file);
  const pages = dictionaries.filter((value) => isName(value.get('Type'), 'Page'));
  const contents = pages.map((page) => {
    const operations = operationsOf(streamOf(file, page.get('Contents')));
    const fonts = fontsOf(file, referred(file, page.get('Resources')));
    return { operations, fonts, glyphs: shownGlyphs(operations, fonts) };
  });
  return {
    bytes,
    file,
    values,
    pages,
    dictionaries,
    contents,
    keys: new Set(dictionaries.flatMap((value) => [...value.keys()])),
    fonts: contents.flatMap(({ fonts }) => [...fonts.values()]),
    catalog: referred(file, file.trailer.get('Root')),
  };
}

/** As another library reads them. */
async function readFacts(bytes: Uint8Array) {
  const document = await getDocumentProxy(bytes.slice(), { verbosity: 0 });
  const { info, metadata } = await document.getMetadata();
  const attachments = await document.getAttachments();
  const [attachment] = attachments?.keys() ?? [];
  const content = attachment === undefined ? null : await document.getAttachmentContent(attachment);
  await document.loadingTask.destroy();
  return { info, metadata: Object.fromEntries(metadata), attachments, content };
}

describe.each(Object.entries(INVOICES))('a Factur-X document %s', async (_, invoice) => {
  const { bytes, file, values, pages, dictionaries, contents, keys, fonts, catalog } = await read(invoice);
  const glyphs = contents.flatMap((content) => content.glyphs);

  it('has a binary header, an id, and no encryption (6.1.2 and 6.1.3)', () => {
    expect(file.header.toString('latin1')).toBe('%PDF-1.7\n%\xff\xff\xff\xff\n');
    expect(file.trailer.get('ID')).toHaveLength(2);
    for (const id of [file.trailer.get('ID')].flat()) expect(id).toHaveProperty('bytes.length', 16);
    expect(file.trailer.has('Encrypt')).toBe(false);
  });

  it('stays within the limits of numbers, texts, names and pages (6.1.13)', () => {
    const operands = contents.flatMap(({ operations }) => operations.flatMap((operation) => operation.operands));
    const beyond = [...values, ...operands.flatMap((operand) => [...within(operand)])].filter((value) => {
      if (typeof value === 'number') return Math.abs(value) >= 2 ** 31;
      if (typeof value !== 'object' || value === null) return false;
      return ('bytes' in value && value.bytes.length >= 32_768) || ('name' in value && value.name.length > 127);
    });
    expect(beyond).toEqual([]);
    for (const page of pages)
      expect(page.get('MediaBox')).toEqual([0, 0, expect.closeTo(600, -2), expect.closeTo(800, -2)]);
  });

  it('is drawn with known operators and resources of each page, in one space of colours (6.2.2 and 6.2.4)', () => {
    const known = 'cm re cs scn f BDC EMC BT ET Tf Tm TJ Tc Tr w rg RG'.split(' ');
    for (const { operations, fonts: own } of contents) {
      const named = (wanted: string) => operations.filter(({ operator }) => operator === wanted);
      expect(known).toEqual(expect.arrayContaining([...new Set(operations.map(({ operator }) => operator))]));
      for (const { operands } of named('cs')) expect(operands).toEqual([{ name: 'DeviceRGB' }]);
      const chosen = named('Tf').map(({ operands: [font] }) => font);
      expect(chosen.filter((font) => ![...own.keys()].some((name) => isName(font, name)))).toEqual([]);
    }
  });

  it('says once which red, green and blue it means (6.2.3)', () => {
    const intents = [catalog.get('OutputIntents')].flat().map((intent) => referred(file, intent));
    expect(intents.map((intent) => intent.get('S'))).toEqual([{ name: 'GTS_PDFA1' }]);
    const profile = streamOf(file, intents[0]?.get('DestOutputProfile'));
    expect(profile.readUInt32BE(0)).toBe(profile.length);
    expect(profile.readUInt8(8)).toBeLessThan(5);
    expect(profile.toString('latin1', 12, 20)).toBe('mntrRGB ');
    expect(profile.toString('latin1', 36, 40)).toBe('acsp');
  });

  it('embeds its fonts, with all glyphs that it shows, as wide as it says (6.2.11.2 to 6.2.11.6, and 6.2.11.8)', () => {
    for (const { dictionary: font, descendant, descriptor, program } of fonts) {
      expect(font.get('Encoding')).toEqual({ name: 'Identity-H' });
      expect(font.get('BaseFont')).toHaveProperty('name', expect.stringMatching(/^[A-Z]{6}\+[!-~]+$/));
      expect(descriptor.get('FontName')).toEqual(font.get('BaseFont'));
      expect([...descriptor.keys()]).not.toContain('CIDSet');
      if (program) expect(descendant.get('CIDToGIDMap')).toEqual({ name: 'Identity' });
      else expect(streamOf(file, descriptor.get('FontFile3')).length).toBeGreaterThan(0);
    }
    expect(glyphs.length).toBeGreaterThan(200);
    const wrong = glyphs.filter(({ font: { program, widths }, glyph }) => {
      if (glyph <= 0 || !program) return glyph <= 0;
      const width = (program.getGlyph(glyph).advanceWidth * 1_000) / program.unitsPerEm;
      return glyph >= program.numGlyphs || Math.abs(width - (widths[glyph] ?? Number.POSITIVE_INFINITY)) > 1;
    });
    expect(wrong).toEqual([]);
  });

  it('has a text for each glyph, which is no null, mark of byte order, or character of private use (6.2.11.7)', () => {
    expect(glyphs.filter(({ font, glyph }) => !/./su.test(font.texts[glyph] ?? ''))).toEqual([]);
    for (const { texts } of fonts) expect(texts.join('')).not.toMatch(/[\0\ufeff\ufffe\p{Co}]/u);
  });

  it.each([
    ['streams outside of the file (6.1.7)', 'FFilter FDecodeParms'],
    [
      'graphics states, images, forms, patterns or transparency (6.2.5 to 6.2.10)',
      'ExtGState XObject SMask Group CA ca BM Pattern Shading TR HT',
    ],
    ['forms or actions of their own accord (6.4 and 6.5)', 'AcroForm AA OpenAction JavaScript JS'],
    [
      'layers, presentations or requirements (6.9 to 6.11)',
      'OCProperties Perms AlternatePresentations PresSteps Requirements NeedsRendering',
    ],
  ])('has no %s', (_, names) => {
    expect(names.split(' ').filter((name) => keys.has(name))).toEqual([]);
  });

  it('has no annotation but a link that is printed, says where it leads, and leads to an address (6.3 and 6.5)', () => {
    const annotations = dictionaries.filter((value) => isName(value.get('Type'), 'Annot'));
    expect(annotations).toHaveLength(invoice.paymentUrl === null ? 0 : 1);
    for (const annotation of annotations) {
      const said = { Subtype: { name: 'Link' }, F: 4, Contents: { bytes: expect.anything() } };
      expect(Object.fromEntries(annotation)).toMatchObject(said);
      expect(referred(file, annotation.get('A')).get('S')).toEqual({ name: 'URI' });
      expect(['AP', 'StructParent'].filter((name) => annotation.has(name))).toEqual(['StructParent']);
      expect(pages[0]?.get('Tabs')).toEqual({ name: 'S' });
    }
  });

  it('has metadata that agree with the document information, and claim PDF/A-3a and Factur-X (6.6)', async () => {
    const { info, metadata } = await readFacts(bytes);
    expect(metadata).toMatchObject({
      ...{ 'pdfaid:part': '3', 'pdfaid:conformance': 'A', 'pdfuaid:part': '1' },
      ...{ 'fx:documenttype': 'INVOICE', 'fx:documentfilename': 'factur-x.xml' },
      ...{ 'fx:version': '1.0', 'fx:conformancelevel': 'EN 16931' },
    });
    expect(info).toMatchObject({
      Title: metadata['dc:title'],
      Author: metadata['dc:creator'][0],
      Creator: metadata['xmp:creatortool'],
      Producer: metadata['pdf:producer'],
      CreationDate: `D:${metadata['xmp:createdate'].replaceAll(/[-:T]/g, '')}`,
    });
    expect(info).toHaveProperty('Title', expect.stringContaining(invoice.number ?? ''));
  });

  it('has metadata as plain XML, which describe each vocabulary that PDF/A does not know (6.6.2)', () => {
    expect([...referred(file, catalog.get('Metadata')).keys()]).not.toContain('Filter');
    const xml = streamOf(file, catalog.get('Metadata')).toString('utf8');
    const [packet = ''] = /^<\?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"\?>/.exec(xml) ?? [];
    expect(packet).not.toBe('');
    expect(xml).toMatch(/<\?xpacket end="w"\?>$/);
    const described = [...xml.matchAll(/<pdfaSchema:prefix>(\w+)<.*?<\/rdf:Seq>/gs)].flatMap(([schema, prefix]) =>
      [...schema.matchAll(/<pdfaProperty:name>(\w+)</g)].map(([, name]) => `${prefix}:${name}`),
    );
    const own = xml.match(/(?<=<)(?:fx|pdfuaid):\w+/g);
    expect(described.toSorted()).toEqual(own?.toSorted());
    for (const part of ['valueType', 'category', 'description'])
      expect(xml.match(new RegExp(`<pdfaProperty:${part}>[^<]+`, 'g'))).toHaveLength(described.length);
  });

  it('is tagged, in a known language, with all of its text in the tree or said to be decoration (6.7)', async () => {
    expect(referred(file, catalog.get('MarkInfo')).get('Marked')).toBe(true);
    expect(catalog.get('Lang')).toEqual({ bytes: Buffer.from(invoice.locale ?? 'en') });
    expect([...referred(file, catalog.get('StructTreeRoot')).keys()]).not.toContain('RoleMap');
    const roles = ['Document', 'H1', 'H2', 'P', 'Link', 'Div', 'Table', 'TR', 'TH', 'TD'];
    for (const element of dictionaries.filter((value) => value.has('S') && value.has('P')))
      expect(roles).toContain(element.get('S') && Object.values(element.get('S') ?? {})[0]);
    const { root, lost } = await readStructure(bytes);
    expect(lost).toEqual([]);
    expect(allOf(root, 'TR').length).toBeGreaterThanOrEqual(invoice.lineItems.length);
  });

  it('holds the same XML byte for byte, as an alternative of the whole document (6.8)', async () => {
    const { attachments, content } = await readFacts(bytes);
    expect([...(attachments?.values() ?? [])].map(({ filename }) => filename)).toEqual(['factur-x.xml']);
    expect(Buffer.from(content ?? []).toString()).toBe(XML);
    const [associated] = [catalog.get('AF')].flat();
    const names = dictionary(referred(file, catalog.get('Names')).get('EmbeddedFiles')).get('Names');
    const name = { bytes: Buffer.from('factur-x.xml') };
    expect(names).toEqual([name, associated]);
    const specification = referred(file, associated);
    expect(Object.fromEntries(specification)).toMatchObject({ F: name, UF: name });
    expect(specification.get('AFRelationship')).toEqual({ name: 'Alternative' });
    const embedded = referred(file, dictionary(specification.get('EF')).get('F'));
    expect(embedded.get('Subtype')).toEqual({ name: 'text#2Fxml' });
    const date = `D:${invoice.issueDate.replaceAll('-', '')}000000Z`;
    expect(embedded.get('Params')).toEqual(
      new Map<string, unknown>([
        ['ModDate', { bytes: Buffer.from(date) }],
        ['Size', Buffer.byteLength(XML)],
      ]),
    );
  });

  it('shows what the plain document shows', async () => {
    const [plain, facturX] = await Promise.all([drawn(invoice).then((each) => readPdf(each)), readPdf(bytes)]);
    expect(facturX.pages).toHaveLength(plain.pages.length);
    expect(allText(facturX)).toBe(allText(plain).replaceAll(/\p{Co}/gu, '\ufffd'));
  });

  it('is the same bytes for the same invoice', async () => {
    expect(await drawn(invoice, { facturX: XML })).toEqual(bytes);
  });
});

describe('the text of a Factur-X document', () => {
  it('has a space where a line ends between words, and only there', async () => {
    const notes = `${SENTENCE} ${SENTENCE} ${SENTENCE}\n${LONG_WORD}\n${CHINESE}`;
    const { contents } = await read(printed({ notes }));
    const text = contents.flatMap(({ glyphs }) => glyphs.map(({ font, glyph }) => font.texts[glyph])).join('');
    for (const part of [`${SENTENCE} ${SENTENCE} ${SENTENCE} `, `${LONG_WORD} `, `${CHINESE} `])
      expect(text).toContain(part);
  });
});

const SEEN_THROUGH = png({
  width: 900,
  height: 300,
  colourType: 6,
  bitDepth: 16,
  samples: (x, y) => [x * 70, y * 200, 0, x * 70],
});

const RGB = { name: 'DeviceRGB' };
const INKS = ['Cyan', 'Magenta', 'Yellow', 'Black'].map((name) => ({ name }));

describe.each<[string, Uint8Array, unknown, boolean]>([
  ['a PNG through which the paper shows', SEEN_THROUGH, RGB, true],
  [
    'a PNG that is opaque',
    png({ width: 90, height: 30, colourType: 0, bitDepth: 1, samples: (x) => [x % 2] }),
    RGB,
    false,
  ],
  ['a JPEG in grey', jpeg({ columns: 3, rows: 2, components: 1 }), { name: 'DeviceGray' }, false],
  ['a JPEG', jpeg({ columns: 3, rows: 2 }), RGB, false],
  [
    'a JPEG in the colours of a press',
    jpeg({ columns: 3, rows: 2, components: 4, segments: [ADOBE] }),
    [{ name: 'DeviceN' }, INKS, RGB, expect.anything()],
    false,
  ],
])('the logo of a Factur-X document, %s,', (_, logo, space, isSeenThrough) => {
  it('is an image in the colours of the document, of plain pixels (6.2.4, 6.2.8 and 6.2.10)', async () => {
    const { file, pages, dictionaries, keys } = await read(printed({ seller: PROFILE }), logo);
    const images = dictionaries.filter((value) => isName(value.get('Subtype'), 'Image'));
    const masks = images.filter((image) =>
      dictionaries.some((each) => each.has('SMask') && referred(file, each.get('SMask')) === image),
    );
    const [image, ...others] = images.filter((each) => !masks.includes(each));
    expect(others).toEqual([]);
    expect(image?.get('ColorSpace')).toEqual(space);
    expect(image?.has('SMask')).toBe(isSeenThrough);
    expect(masks.map((mask) => mask.get('ColorSpace'))).toEqual(isSeenThrough ? [{ name: 'DeviceGray' }] : []);
    for (const each of images) expect(each.get('BitsPerComponent')).toBe(8);
    const refusedKeys = 'Alternates OPI Interpolate Group CA ca BM PS TR HT'.split(' ');
    expect(refusedKeys.filter((name) => keys.has(name))).toEqual([]);
    const drawnOn = pages.map((page) => referred(file, page.get('Resources')).has('XObject'));
    expect(drawnOn).toEqual(pages.map((__, index) => index === 0));
  });
});
