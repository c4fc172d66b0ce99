import { createHash } from 'node:crypto';

/** Rows of remote work, as a preview shows them and a confirm takes them (service interface, "Remote work row"; decisions, section 7). */

export interface RemoteRow {
  /** `YYYY-MM-DD`, UTC */
  readonly date: string;
  readonly durationMinutes: number;
  readonly description: string;
  /** Names at the provider */
  readonly project: string | null;
  readonly client: string | null;
  readonly user: string | null;
  readonly externalId: string | null;
  readonly billable: boolean;
  /** Decimal string, by the hour */
  readonly rate: string | null;
  /** ISO 4217, upper case; null: nothing is known of it */
  readonly currency: string | null;
}

/** A row that is told apart from all others of its account. */
export interface IdentifiedRow extends RemoteRow {
  /** The id of the entry that the row is, or would be, imported as. */
  readonly entryId: string;
  /** Digest of all that the row says: another one under the same `entryId` means that the provider's entry has changed. */
  readonly content: string;
}

/** Whose rows they are: the same external id in two accounts, or in two organizations, is not the same row. */
export interface RowOrigin {
  readonly organizationId: string;
  readonly accountId: string;
  /** The organization's currency, which a row without one is in. */
  readonly currency: string;
}

const FALLBACK_DESCRIPTION = 'Imported time';

/** A row as all its readers know it: an empty name is none, an empty description the project's name, else a fixed text. */
export function describedRow<Row extends RemoteRow>(row: Row): Row {
  const [project, client, user, externalId] = [row.project, row.client, row.user, row.externalId].map(orNull);
  const description = row.description.trim() === '' ? (project ?? FALLBACK_DESCRIPTION) : row.description;
  return { ...row, description, project, client, user, externalId };
}

function orNull(text: string | null): string | null {
  return text === '' ? null : text;
}

/**
 * Identifies rows. A row with an external id is that of its account with the id; another is identified by what it says and by its
 * occurrence number among equal rows, so that two equal rows are both kept and a replay of them is recognized (decisions, section 7).
 *
 * @param rows in the order of the request, described
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

/** 132 bits of the digest: the content is stored with each entry, and every byte of an entry is paid for. */
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

/** JSON keeps apart what joining would not: `["a,b"]` and `["a","b"]`. */
function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** A UUID of version 8 (RFC 9562): 122 bits of a digest, behind the bits that say so. */
function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
