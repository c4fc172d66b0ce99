/** A plain font file (OpenType, sfnt): a directory of tables, and the tables behind it. */

export interface FontTable {
  /** Four characters */
  readonly tag: string;
  readonly data: Buffer;
}

const HEADER_BYTES = 12;
const ENTRY_BYTES = 16;

/**
 * Nothing that reads these files asks for checksums, so they stay zero.
 *
 * @param flavor the first four bytes, which say how the font draws
 */
export function plainFont(flavor: Buffer, tables: readonly FontTable[]): Buffer {
  const directory = Buffer.alloc(HEADER_BYTES + tables.length * ENTRY_BYTES);
  flavor.copy(directory);
  directory.writeUInt16BE(tables.length, 4);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  tables.forEach(({ tag, data }, index) => {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(data.length, entry + 12);
    const padding = Buffer.alloc(-data.length & 3);
    parts.push(data, padding);
    offset += data.length + padding.length;
  });
  return Buffer.concat(parts);
}
