import { deflateSync } from 'node:zlib';

/**
 * Object streams (ISO 32000, 7.5.7). pdfkit writes each object as plain text, one for each cell of a table: a long
 * invoice would be four times as large, too large for a response.
 *
 * @param file as pdfkit writes it: one cross-reference table, no object written twice
 */
export function packObjects(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const plain = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const { objects, trailer } = objectsOf(plain);
  const first = Math.min(...objects.map(({ start }) => start));
  const parts = [plain.subarray(0, first)];
  let length = first;
  /** By the object's id. Object 0 is free by definition. */
  const places: CrossReference[] = [{ type: FREE, where: 0, index: MOST_GENERATIONS }];
  const write = (id: number, content: Buffer) => {
    const written = Buffer.concat([Buffer.from(`${id} 0 obj\n`), content, Buffer.from('\nendobj\n')]);
    places[id] = { type: IN_FILE, where: length, index: 0 };
    parts.push(written);
    length += written.length;
  };

  for (const { id, content } of objects.filter(isStream)) write(id, content);
  let nextId = objects.length + 1;
  for (const group of inGroups(objects.filter((object) => !isStream(object)))) {
    const streamId = nextId++;
    group.forEach(({ id }, index) => {
      places[id] = { type: IN_STREAM, where: streamId, index };
    });
    write(streamId, objectStream(group));
  }
  const start = length;
  places[nextId] = { type: IN_FILE, where: start, index: 0 };
  write(nextId, referenceStream(places, trailer));
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(`startxref\n${start}\n%%EOF\n`)]));
}

interface PdfObject {
  readonly id: number;
  readonly start: number;
  readonly content: Buffer;
}

/** A byte of the file, or an index in the object stream with this id. */
interface CrossReference {
  readonly type: number;
  readonly where: number;
  readonly index: number;
}

const FREE = 0;
const IN_FILE = 1;
const IN_STREAM = 2;
const MOST_GENERATIONS = 65_535;

const ENTRY_BYTES = 20;

function objectsOf(file: Buffer): { objects: PdfObject[]; trailer: string } {
  const tableStart = Number(
    file
      .toString('latin1', file.lastIndexOf('startxref') + 'startxref'.length)
      .trim()
      .split('\n')[0],
  );
  const trailerStart = file.indexOf('trailer', tableStart);
  const entries = file.toString('latin1', file.indexOf('\n', tableStart + 'xref\n'.length) + 1, trailerStart);
  const starts = Array.from({ length: entries.length / ENTRY_BYTES - 1 }, (_, index) =>
    Number(entries.slice((index + 1) * ENTRY_BYTES, (index + 1) * ENTRY_BYTES + 10)),
  );
  const inOrder = starts
    .map((start, index) => ({ start, id: index + 1 }))
    .sort((one, other) => one.start - other.start);
  const objects = inOrder.map(({ start, id }, index) => {
    const end = (inOrder[index + 1]?.start ?? tableStart) - '\nendobj\n'.length;
    return { id, start, content: file.subarray(start + `${id} 0 obj\n`.length, end) };
  });
  const trailer = file.toString('latin1', trailerStart, file.lastIndexOf('startxref'));
  return { objects, trailer: trailer.slice(trailer.indexOf('<<') + 2, trailer.lastIndexOf('>>')) };
}

function isStream({ content }: PdfObject): boolean {
  return content.subarray(-END_OF_STREAM.length).equals(END_OF_STREAM);
}

const END_OF_STREAM = Buffer.from('\nendstream');

/** A reader unpacks the whole stream to read one object. */
const OBJECTS_PER_STREAM = 500;

function inGroups(objects: readonly PdfObject[]): PdfObject[][] {
  return Array.from({ length: Math.ceil(objects.length / OBJECTS_PER_STREAM) }, (_, index) =>
    objects.slice(index * OBJECTS_PER_STREAM, (index + 1) * OBJECTS_PER_STREAM),
  );
}

/** The stream begins with the id of each object and its start behind that list. */
function objectStream(objects: readonly PdfObject[]): Buffer {
  const starts: string[] = [];
  let start = 0;
  for (const { id, content } of objects) {
    starts.push(`${id} ${start}`);
    start += content.length + 1;
  }
  const head = Buffer.from(`${starts.join(' ')}\n`);
  const contents = objects.flatMap(({ content }) => [content, Buffer.from('\n')]);
  return stream(`/Type /ObjStm /N ${objects.length} /First ${head.length}`, Buffer.concat([head, ...contents]));
}

function referenceStream(places: readonly CrossReference[], trailer: string): Buffer {
  const bytes = Buffer.alloc(places.length * 7);
  places.forEach(({ type, where, index }, id) => {
    bytes.writeUInt8(type, id * 7);
    bytes.writeUInt32BE(where, id * 7 + 1);
    bytes.writeUInt16BE(index, id * 7 + 5);
  });
  const rest = trailer.replace(/\/Size \d+/, `/Size ${places.length}`);
  return stream(`/Type /XRef /W [1 4 2]${rest}`, bytes);
}

function stream(dictionary: string, content: Buffer): Buffer {
  const packed = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<<\n${dictionary.trim()}\n/Filter /FlateDecode\n/Length ${packed.length}\n>>\nstream\n`, 'latin1'),
    packed,
    END_OF_STREAM,
  ]);
}
