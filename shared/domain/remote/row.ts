import { createHash } from 'node:crypto';

/** Rows of remote work, as a preview shows them and a confirm takes them. */

export interface RemoteRow {
  /** `YYYY-MM-DD`, UTC */
  readonly date: string;
  readonly durationMinutes: number;
  readonly description: string;
  /** The name at the provider */
  readonly project: string | null;
  readonly client: string | null;
  readonly user: string | null;
  readonly externalId: string | null;
  readonly billable: boolean;
  /** Decimal string, by the hour */
  readonly rate: string | null;
  /** ISO 4217, upper case; null: unknown */
  readonly currency: string | null;
}

/** A row that can be told apart from all other rows of its account. */
export interface IdentifiedRow extends RemoteRow {
  /** The id of the entry that the row was, or would be, imported as. */
  readonly entryId: string;
  /** Digest of everything the row says. A new digest under the same `entryId`: the provider's entry has changed. */
  readonly content: string;
}

/** Whose rows these are. The same external id in two accounts, or in two organizations, is two different rows. */
export interface RowOrigin {
  readonly organizationId: string;
  readonly accountId: string;
  /** The organization's currency, for rows that name none. */
  readonly currency: string;
}

const FALLBACK_DESCRIPTION = 'Imported time';

/**
 * A row as all its readers know it. An empty name becomes none. An empty description becomes the project's name;
 * without a project, it becomes a fixed text.
 */
export function describedRow<Row extends RemoteRow>(row: Row): Row {
  const [project, client, user, externalId] = [row.project, row.client, row.user, row.externalId].map(orNull);
  const description = row.description.trim() === '' ? (project ?? FALLBACK_DESCRIPTION) : row.description;
  return { ...row, description, project, client, user, externalId };
}

function orNull(text: string | null): string | null {
  return text === '' ? null : text;
}

/**
 * Identifies rows. A row with an external id is identified by its account and that id. Any other row is identified
 * by its content and by its occurrence number among equal rows. So two equal rows are both kept, and a replay of
 * them is recognized.
 *
 * @param rows described, in the order of the request
 */
export function identifyRows(
  rows: readonly RemoteRow[],
  { organizationId, accountId, currency }: RowOrigin,
): IdentifiedRow[] {
  const occurrences = new Map<string, number>();
  return rows.map((row) => {
    const content = contentOf(row, currency);
    const identity = row.externalId === null ? [content, countUp(occurrences, content)] : [row.externalId];
    const hash = digest(['remote_api', organizationId, accountId, ...identity]);
    return { ...row, content: content.slice(0, CONTENT_CHARACTERS), entryId: uuidOf(hash) };
  });
}

/** 132 bits of the digest. Each entry stores its content, and every stored byte costs. */
const CONTENT_CHARACTERS = 22;

function contentOf(row: RemoteRow, byDefault: string): string {
  const { date, durationMinutes, description, project, client, user, billable, rate } = row;
  const currency = row.currency ?? byDefault;
  return digest([date, durationMinutes, description, project, client, user, billable, rate, currency]).toString(
    'base64url',
  );
}

function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

/** JSON separates what joining would merge: `["a,b"]` and `["a","b"]`. */
function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** A UUID of version 8 (RFC 9562): 122 bits of a digest, beside the version and variant bits. */
function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
