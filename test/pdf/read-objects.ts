import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

/**
 * All objects of a PDF, read as ISO 19005-3 wants them written. Readers forgive nearly everything; this one forgives
 * nothing, and knows only what our files use: one cross-reference stream, object streams, and Flate.
 */
export interface PdfFile {
  readonly header: Buffer;
  readonly trailer: PdfDictionary;
  /** By id */
  readonly objects: ReadonlyMap<number, PdfObject>;
}

export interface PdfObject {
  readonly value: PdfValue;
  /** Unpacked */
  readonly stream?: Buffer;
}

export type PdfValue = null | boolean | number | PdfName | PdfString | PdfReference | PdfDictionary | PdfValue[];
/** `name` is as it is written, `#2F` and all. */
export type PdfName = { readonly name: string };
export type PdfString = { readonly bytes: Buffer };
export type PdfReference = { readonly id: number };
export type PdfDictionary = ReadonlyMap<string, PdfValue>;

export interface Operation {
  readonly operator: string;
  readonly operands: readonly PdfValue[];
}

/** @throws AssertionError where the file is written otherwise */
export function readObjects(bytes: Uint8Array): PdfFile {
  const file = Buffer.from(bytes);
  const text = file.toString('latin1');
  const [, start = ''] = /\nstartxref\n(\d+)\n%%EOF\n$/.exec(text) ?? [];
  assert(start !== '', 'The file ends otherwise.');
  const references = objectAt(file, Number(start));
  const trailer = dictionary(references.value);
  assert.deepEqual(trailer.get('Type'), { name: 'XRef' });
  assert.deepEqual(trailer.get('W'), [1, 4, 2]);
  const table = references.stream ?? Buffer.alloc(0);
  assert.equal(table.length, Number(trailer.get('Size')) * 7);
  const rows = Array.from({ length: table.length / 7 - 1 }, (_, index) => ({
    id: index + 1,
    type: table.readUInt8((index + 1) * 7),
    where: table.readUInt32BE((index + 1) * 7 + 1),
  }));
  const objects = new Map<number, PdfObject>();
  for (const { id, where } of rows.filter(({ type }) => type === 1)) objects.set(id, objectAt(file, where, id));
  const groups = new Set(rows.filter(({ type }) => type === 2).map(({ where }) => where));
  for (const group of groups) for (const [id, value] of unpacked(objects.get(group))) objects.set(id, { value });
  assert.equal(objects.size, rows.length);
  return {
    header: file.subarray(0, Math.min(...rows.filter(({ type }) => type === 1).map(({ where }) => where))),
    trailer,
    objects,
  };
}

export function dictionary(value: PdfValue | undefined): PdfDictionary {
  assert(value instanceof Map, `Not a dictionary: ${JSON.stringify(value)}`);
  return value;
}

export function referred(file: PdfFile, reference: PdfValue | undefined): PdfDictionary {
  return dictionary(objectOf(file, reference).value);
}

export function streamOf(file: PdfFile, reference: PdfValue | undefined): Buffer {
  const { stream } = objectOf(file, reference);
  assert(stream);
  return stream;
}

function objectOf(file: PdfFile, reference: PdfValue | undefined) {
  assert(typeof reference === 'object' && reference !== null && 'id' in reference);
  const object = file.objects.get(reference.id);
  assert(object, `There is no object ${reference.id}.`);
  return object;
}

export function isName(value: PdfValue | undefined, name: string): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === name;
}

/** In order, all values and what they hold. */
export function* within(value: PdfValue): Generator<PdfValue> {
  yield value;
  if (Array.isArray(value)) for (const item of value) yield* within(item);
  if (value instanceof Map) for (const item of value.values()) yield* within(item);
}

/** All dictionaries of the file, wherever they are. */
export const dictionariesOf = ({ objects }: PdfFile): PdfDictionary[] =>
  [...objects.values()].flatMap(({ value }) => [...within(value)].filter((one) => one instanceof Map));

/** Of each page, whether a shape stands slanted. */
export function watermarksIn(bytes: Uint8Array): boolean[] {
  const file = readObjects(bytes);
  const pages = dictionariesOf(file).filter((one) => isName(one.get('Type'), 'Page'));
  return pages.map((page) => {
    const operations = operationsOf(streamOf(file, page.get('Contents')));
    const start = operations.findIndex(({ operator, operands: [a, b] }) => operator === 'cm' && a !== 0 && b !== 0);
    return start >= 0 && operations.slice(start).some(({ operator }) => operator === 'f');
  });
}

export function operationsOf(content: Buffer): Operation[] {
  const scanner = new Scanner(content.toString('latin1'), 0);
  const operations: Operation[] = [];
  let operands: PdfValue[] = [];
  for (scanner.skip(); !scanner.isAtEnd(); scanner.skip()) {
    const operator = scanner.take(/[a-zA-Z'"][\w*]*/y);
    if (operator === undefined) {
      operands.push(scanner.value());
    } else {
      operations.push({ operator, operands });
      operands = [];
    }
  }
  return operations;
}

/** @param id that the object must have, if it is known */
function objectAt(file: Buffer, start: number, id?: number): PdfObject {
  const text = file.toString('latin1');
  assert.equal(text[start - 1], '\n');
  const scanner = new Scanner(text, start);
  const head = scanner.take(/\d+ 0 obj\n/y);
  assert(head?.startsWith(id === undefined ? '' : `${id} `), `No object ${id} at ${start}.`);
  const value = scanner.value();
  if (scanner.take(/\nendobj\n/y)) return { value };
  assert(scanner.take(/\nstream\n/y), `Object ${id} ends otherwise.`);
  const found = dictionary(value);
  const end = scanner.position + Number(found.get('Length'));
  const packed = file.subarray(scanner.position, end);
  assert(text.startsWith('\nendstream\nendobj\n', end), `Object ${id} has another length.`);
  const filter = found.get('Filter');
  const isPacked = isName(filter, 'FlateDecode');
  assert(filter === undefined || isPacked || isName(filter, 'DCTDecode'), `Object ${id} has another filter.`);
  return { value, stream: isPacked ? inflateSync(packed) : packed };
}

function unpacked(group: PdfObject | undefined): Map<number, PdfValue> {
  const { value, stream } = group ?? { value: null };
  const first = Number(dictionary(value).get('First'));
  const text = stream?.toString('latin1') ?? '';
  const places = text.slice(0, first).trim().split(' ').map(Number);
  assert.equal(places.length, 2 * Number(dictionary(value).get('N')));
  const values = new Map<number, PdfValue>();
  for (let place = 0; place < places.length; place += 2)
    values.set(places[place] ?? 0, new Scanner(text, first + (places[place + 1] ?? 0)).value());
  return values;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

class Scanner {
  readonly #text: string;
  position: number;

  constructor(text: string, position: number) {
    this.#text = text;
    this.position = position;
  }

  isAtEnd(): boolean {
    return this.position >= this.#text.length;
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const [found] = pattern.exec(this.#text) ?? [];
    this.position += found?.length ?? 0;
    return found;
  }

  skip(): void {
    this.take(/[ \n]*/y);
  }

  value(): PdfValue {
    this.skip();
    if (this.take(/<</y)) return this.#dictionary();
    if (this.take(/\[/y)) return this.#array();
    if (this.take(/\(/y)) return { bytes: this.#literal() };
    const hex = this.take(/<(?:[\da-fA-F]{2})*>/y);
    if (hex !== undefined) return { bytes: Buffer.from(hex.slice(1, -1), 'hex') };
    const name = this.take(/\/[^\s/<>[\]()%{}]+/y);
    if (name !== undefined) return { name: name.slice(1) };
    const reference = this.take(/\d+ 0 R\b/y);
    if (reference !== undefined) return { id: Number.parseInt(reference, 10) };
    const number = this.take(/-?(?:\d+\.?\d*|\.\d+)/y);
    if (number !== undefined) return Number(number);
    const word = this.take(/true|false|null/y);
    assert(word, `No value at ${this.position}: ${this.#text.slice(this.position, this.position + 20)}`);
    return word === 'null' ? null : word === 'true';
  }

  #dictionary(): PdfDictionary {
    const entries = new Map<string, PdfValue>();
    for (this.skip(); !this.take(/>>/y); this.skip()) {
      const key = this.take(/\/[^\s/<>[\]()%{}]+/y);
      assert(key && !entries.has(key.slice(1)), `No key, or one twice: ${key}`);
      entries.set(key.slice(1), this.value());
    }
    return entries;
  }

  #array(): PdfValue[] {
    const items: PdfValue[] = [];
    for (this.skip(); !this.take(/\]/y); this.skip()) items.push(this.value());
    return items;
  }

  /** Parentheses are always escaped in our files. */
  #literal(): Buffer {
    const escaped = this.take(/(?:[^\\()]|\\.)*\)/sy);
    assert(escaped, `A string without an end at ${this.position}`);
    return Buffer.from(
      escaped.slice(0, -1).replace(/\\(.)/gs, (_, character: string) => ESCAPES[character] ?? character),
      'latin1',
    );
  }
}
