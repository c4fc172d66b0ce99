import assert from 'node:assert/strict';
import { getDocumentProxy } from 'unpdf';
import {
  dictionary,
  type PdfDictionary,
  type PdfFile,
  type PdfValue,
  readObjects,
  referred,
  streamOf,
  within,
} from './read-objects.ts';
import { squeeze } from './read-pdf.ts';

/** A tagged PDF as it speaks to those who do not see its pages. */
export interface Structure {
  readonly root: PdfElement;
  /** The text of each page that no element has, without white space */
  readonly artifacts: readonly string[];
  /** Marked content that belongs to no element, or that an element names and no page has */
  readonly lost: readonly string[];
  readonly file: PdfFile;
  readonly catalog: PdfDictionary;
  /** The metadata, as XML */
  readonly metadata: string;
}

export interface PdfElement {
  readonly role: string;
  readonly scope: string | null;
  /** Where it leads, with what is said of that, and the page */
  readonly link?: { readonly url: string; readonly meaning: string; readonly page: PdfDictionary };
  /** What it shows, in words */
  readonly alt?: string;
  /** The element's own, without white space */
  readonly text: string;
  readonly children: readonly PdfElement[];
}

export async function readStructure(bytes: Uint8Array): Promise<Structure> {
  const file = readObjects(bytes);
  const catalog = referred(file, file.trailer.get('Root'));
  const document = await getDocumentProxy(bytes.slice(), { verbosity: 0 });
  const texts = new Map<string, string>();
  const artifacts: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent({ includeMarkedContent: true, disableNormalization: true });
    artifacts.push(sortOut(items, texts));
  }
  await document.loadingTask.destroy();
  const named = new Set<string>();
  const [top] = kidsOf(referred(file, catalog.get('StructTreeRoot')));
  const root = elementOf(top, null, file, texts, named);
  const metadata = streamOf(file, catalog.get('Metadata')).toString();
  const lost = [...texts.keys()].filter((id) => !named.has(id));
  return { root, artifacts, lost, file, catalog, metadata };
}

/** Puts texts under the ids of their content. @returns what is left, as it stands on the page */
function sortOut(items: readonly object[], texts: Map<string, string>): string {
  let artifacts = '';
  const open: (string | null)[] = [];
  for (const item of items) {
    if ('str' in item && typeof item.str === 'string') {
      const id = open.findLast((one) => one !== null);
      if (id) texts.set(id, (texts.get(id) ?? '') + squeeze(item.str));
      else artifacts += squeeze(item.str);
    } else if ('type' in item && item.type === 'endMarkedContent') {
      open.pop();
    } else {
      const id = 'id' in item && typeof item.id === 'string' ? item.id : null;
      open.push(id);
      if (id) texts.set(id, texts.get(id) ?? '');
    }
  }
  return artifacts;
}

function elementOf(
  reference: PdfValue | undefined,
  parent: PdfDictionary | null,
  file: PdfFile,
  texts: ReadonlyMap<string, string>,
  named: Set<string>,
): PdfElement {
  const object = referred(file, reference);
  if (parent) assert.equal(referred(file, object.get('P')), parent, 'An element has another parent.');
  let text = '';
  let link: PdfElement['link'];
  const children: PdfElement[] = [];
  for (const kid of kidsOf(object)) {
    if (isReference(kid)) {
      children.push(elementOf(kid, object, file, texts, named));
      continue;
    }
    const content = typeof kid === 'number' ? object : dictionary(kid);
    const page = content.get('Pg');
    assert(isReference(page));
    if (typeof kid !== 'number' && content.has('Obj')) {
      const annotation = referred(file, content.get('Obj'));
      const action = referred(file, annotation.get('A'));
      link = {
        url: textOf(action.get('URI')),
        meaning: textOf(annotation.get('Contents')),
        page: referred(file, page),
      };
      assert([referred(file, page).get('Annots') ?? []].flat().length > 0, 'The page of a link has no annotation.');
      continue;
    }
    const name = `p${page.id}R_mc${typeof kid === 'number' ? kid : content.get('MCID')}`;
    named.add(name);
    const own = texts.get(name);
    assert(own !== undefined, `No page has ${name}.`);
    text += own;
  }
  const scopes = [...within(object)].flatMap((value) => (value instanceof Map ? [nameOf(value.get('Scope'))] : []));
  const alt = object.has('Alt') ? textOf(object.get('Alt')) : undefined;
  return {
    role: nameOf(object.get('S')) ?? '',
    scope: scopes.find((scope) => scope) ?? null,
    link,
    alt,
    text,
    children,
  };
}

const kidsOf = (object: PdfDictionary) => [object.get('K') ?? []].flat();

/** Of a text in one of the two encodings that PDF has for it. */
function textOf(value: PdfValue | undefined): string {
  assert(typeof value === 'object' && value !== null && 'bytes' in value);
  const bytes = Buffer.from(value.bytes);
  return bytes[0] === 0xfe ? bytes.subarray(2).swap16().toString('utf16le') : bytes.toString('latin1');
}

const isReference = (value: PdfValue | undefined) => typeof value === 'object' && value !== null && 'id' in value;

const nameOf = (value: PdfValue | undefined) =>
  typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;

/** All elements of a role, in reading order. */
export function allOf(element: PdfElement, role: string): PdfElement[] {
  const own = element.role === role ? [element] : [];
  return [...own, ...element.children.flatMap((child) => allOf(child, role))];
}

/** The text of an element and all within it. */
export function wholeText(element: PdfElement): string {
  return element.text + element.children.map(wholeText).join('');
}
