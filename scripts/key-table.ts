import { SCOPES } from '#shared/domain/keys/scopes.ts';

export interface ListedKey {
  readonly id: string;
  readonly name: string;
  /** Missing of a key of the platform. */
  readonly organization?: string;
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

const HEAD = ['organization', 'name', 'id', 'a minute', 'created', 'expires', 'scopes'];

/** For people. */
export function keyTable(keys: readonly ListedKey[]): string {
  const rows = keys.map(({ organization = '(platform)', name, id, rateLimit, createdAt, expiresAt, scopes }) => [
    organization,
    name,
    id,
    String(rateLimit),
    day(createdAt),
    day(expiresAt),
    scopes.length === SCOPES.length ? 'all' : scopes.join(' '),
  ]);
  const lines = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const day = (instant: string | null) => instant?.slice(0, 10) ?? 'never';
