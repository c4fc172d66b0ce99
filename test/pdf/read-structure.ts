import { inflateSync } from 'node:zlib';
import { getDocumentProxy } from 'unpdf';
import { squeeze } from './read-pdf.ts';

/** A tagged PDF as it speaks to those who do not see its pages. */
export interface Structure {
  readonly root: PdfElement;
  /** The text of each page that no element has, without white space */
  readonly artifacts: readonly string[];
  /** Marked content that belongs to no element, or that an element names and no page has */
  readonly lost: readonly string[];
  /** All objects of the file that are not streams, as they are written */
  readonly objects: ReadonlyMap<number, string>;
  /** The metadata, as XML */
  readonly metadata: string;
}

export interface PdfElement {
  readonly role: string;
  readonly scope: string | null;
  /** The element's own, without white space */
  readonly text: string;
  readonly children: readonly PdfElement[];
}

export async function readStructure(bytes: Uint8Array): Promise<Structure> {
  const objects = objectsOf(Buffer.from(bytes));
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
  const root = elementOf(reference(objectWith(objects, '/Type /StructTreeRoot'), 'K'), null, objects, texts, named);
  const lost = [...texts.keys()].filter((id) => !named.has(id));
  return { root, artifacts, lost, objects, metadata: metadataOf(bytes) };
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
  id: number,
  parent: number | null,
  objects: ReadonlyMap<number, string>,
  texts: ReadonlyMap<string, string>,
  named: Set<string>,
): PdfElement {
  const object = objects.get(id) ?? '';
  if (parent !== null && reference(object, 'P') !== parent) throw new Error(`Element ${id} has another parent.`);
  const [list = '', kids = ''] = /\/K \[([^\]]*)\]/.exec(object) ?? [];
  const page = /\/Pg (\d+) 0 R/.exec(object.replace(list, ''))?.[1];
  let text = '';
  const children: PdfElement[] = [];
  const content = /<<[^>]*\/Pg (\d+) 0 R[^>]*\/MCID (\d+)[^>]*>>|(\d+) 0 R|(\d+)/g;
  for (const [, otherPage, otherContent, child, ownContent] of kids.matchAll(content)) {
    if (child) {
      children.push(elementOf(Number(child), id, objects, texts, named));
      continue;
    }
    const name = `p${otherPage ?? page}R_mc${otherContent ?? ownContent}`;
    named.add(name);
    const own = texts.get(name);
    if (own === undefined) throw new Error(`No page has ${name}.`);
    text += own;
  }
  const role = /\/S \/(\w+)/.exec(object)?.[1] ?? '';
  return { role, scope: /\/Scope \/(\w+)/.exec(object)?.[1] ?? null, text, children };
}

function reference(object: string, key: string): number {
  return Number(new RegExp(`/${key} \\[?(\\d+) 0 R`).exec(object)?.[1]);
}

export function objectWith(objects: ReadonlyMap<number, string>, part: string): string {
  const found = [...objects.values()].find((object) => object.includes(part));
  if (!found) throw new Error(`No object has ${part}.`);
  return found;
}

/** The objects inside the object streams of a file. */
export function objectsOf(file: Buffer): Map<number, string> {
  const text = file.toString('latin1');
  const objects = new Map<number, string>();
  for (const { 1: first, 2: length, index, 0: head } of text.matchAll(
    /\/Type \/ObjStm \/N \d+ \/First (\d+)\n\/Filter \/FlateDecode\n\/Length (\d+)\n>>\nstream\n/g,
  )) {
    const start = index + head.length;
    const content = inflateSync(file.subarray(start, start + Number(length))).toString('latin1');
    const places = content.slice(0, Number(first)).trim().split(' ').map(Number);
    for (let place = 0; place < places.length; place += 2) {
      const [from = 0, to = content.length] = [places[place + 1], places[place + 3]];
      objects.set(places[place] ?? 0, content.slice(Number(first) + from, Number(first) + to));
    }
  }
  return objects;
}

function metadataOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  return text.slice(text.indexOf('<?xpacket begin'), text.indexOf('<?xpacket end'));
}

/** All elements of a role, in reading order. */
export function allOf(element: PdfElement, role: string): PdfElement[] {
  const own = element.role === role ? [element] : [];
  return [...own, ...element.children.flatMap((child) => allOf(child, role))];
}

/** The text of an element and all within it. */
export function wholeText(element: PdfElement): string {
  return element.text + element.children.map(wholeText).join('');
}
