import { createHash } from 'node:crypto';
import type { Decimal } from '#shared/domain/money.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';

export interface RemoteRow {
  readonly date: IsoDate;
  readonly durationMinutes: number;
  readonly description: string;
  readonly project: string | null;
  readonly client: string | null;
  readonly user: string | null;
  readonly externalId: string | null;
  readonly billable: boolean;
  readonly rate: Decimal | null;
  readonly currency: string | null;
  readonly tags: readonly string[];
}

/** Tells a row apart from all others of its account. */
export interface IdentifiedRow extends RemoteRow {
  readonly entryId: string;
  /** Digest of the whole row: another one under the same `entryId` means a change at the provider. */
  readonly content: string;
}

/** The same external id in two accounts or organizations is two different rows. */
export interface RowOrigin {
  readonly organizationId: string;
  readonly accountId: string;
  /** Of rows that no provider has shown: the name that their sender calls their source by. */
  readonly origin?: string | null;
}

/** Beside the accounts of the provider, none of which has a space in its id. */
export const accountOf = (origin: string): string => `import ${origin}`;

const FALLBACK_DESCRIPTION = 'Imported time';

/** An empty name becomes null, an empty description the project's name or a fixed text. */
export function describedRow<Row extends RemoteRow>(row: Row): Row {
  const [project, client, user, externalId] = [row.project, row.client, row.user, row.externalId].map(orNull);
  const description = row.description.trim() === '' ? (project ?? FALLBACK_DESCRIPTION) : row.description;
  return { ...row, description, project, client, user, externalId };
}

function orNull(text: string | null): string | null {
  return text === '' ? null : text;
}

/**
 * A row without an external id is known by its content and its place among equal rows, which are all kept.
 *
 * @param rows as `describedRow` returns them: an empty text and null would make two entries of one row
 */
export function identifyRows(
  rows: readonly RemoteRow[],
  { organizationId, accountId, origin = null }: RowOrigin,
): IdentifiedRow[] {
  const source = origin === null ? ['remote_api', organizationId, accountId] : ['import', organizationId, origin];
  const occurrences = new Map<string, number>();
  return rows.map((row) => {
    const content = contentOf(row);
    const identity = row.externalId === null ? [content, countUp(occurrences, content)] : [row.externalId];
    const hash = digest([...source, ...identity]);
    return { ...row, content: content.slice(0, CONTENT_CHARACTERS), entryId: uuidOf(hash) };
  });
}

/** 132 bits of the digest: every entry stores it, and every byte costs. */
const CONTENT_CHARACTERS = 22;

/** The digest covers the row alone. With the currency that it takes by default, it would be another row under another default. */
function contentOf(row: RemoteRow): string {
  const { date, durationMinutes, description, project, client, user, billable, rate, currency, tags } = row;
  const parts = [date, durationMinutes, description, project, client, user, billable, rate, currency];
  return digest(tags.length === 0 ? parts : [...parts, tags]).toString('base64url');
}

function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

/** JSON keeps `["a,b"]` and `["a","b"]` apart. */
function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
