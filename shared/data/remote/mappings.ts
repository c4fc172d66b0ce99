import * as v from 'valibot';
import { type RemoteNameKind, remoteNameKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { put } from '#shared/data/table/writes.ts';
import type { Mappings } from '#shared/domain/remote/import-plan.ts';
import { remoteNames } from '#shared/domain/remote/mapping.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';

/** A mapping of all names would outgrow an item. It outlives its target, so its reader checks what still exists. */

const stored = v.object({
  kind: v.picklist(['CLIENT', 'PROJECT']),
  remoteName: v.string(),
  targetId: v.nullable(v.string()),
});

interface Names {
  readonly clients: readonly string[];
  readonly projects: readonly string[];
}

/** Null: the name stands for nothing. */
export async function readRemembered(
  organizationId: string,
  accountId: string,
  { clients, projects }: Names,
): Promise<Mappings> {
  const keyOf = (kind: RemoteNameKind) => (name: string) => remoteNameKey(organizationId, accountId, kind, name);
  const items = await batchGet([...clients.map(keyOf('CLIENT')), ...projects.map(keyOf('PROJECT'))]);
  const remembered = items.map((item) => v.parse(stored, item));
  const mappingOf = (wanted: RemoteNameKind) =>
    new Map(
      remembered
        .filter(({ kind }) => kind === wanted)
        .map(({ remoteName, targetId }) => [remoteName, targetId] as const),
    );
  return { clients: mappingOf('CLIENT'), projects: mappingOf('PROJECT') };
}

/** DynamoDB's own limit. */
const MAX_ITEMS = 100;

/** If a mapping cannot be remembered, the next preview asks again. That is no reason to fail the import. */
export async function rememberIfPossible(...confirmed: Parameters<typeof remember>): Promise<void> {
  try {
    await remember(...confirmed);
  } catch (error) {
    const cause = asError(error);
    logger.warn('mappings are not remembered', { organizationId: confirmed[0], error: cause });
  }
}

/** The same names come with every import, so a known name costs no write. */
async function remember(
  organizationId: string,
  accountId: string,
  rows: Parameters<typeof remoteNames>[0],
  confirmed: Mappings,
): Promise<void> {
  const names = remoteNames(rows);
  const known = await readRemembered(organizationId, accountId, names);
  const news = [
    ...fresh('CLIENT', names.clients, confirmed.clients, known.clients),
    ...fresh('PROJECT', names.projects, confirmed.projects, known.projects),
  ];
  const puts = news.map((item) =>
    put({ ...remoteNameKey(organizationId, accountId, item.kind, item.remoteName), ...item }),
  );
  for (let start = 0; start < puts.length; start += MAX_ITEMS) await transact(puts.slice(start, start + MAX_ITEMS));
}

function fresh(
  kind: RemoteNameKind,
  names: readonly string[],
  confirmed: Mappings['clients'],
  known: Mappings['clients'],
): v.InferOutput<typeof stored>[] {
  return names.flatMap((remoteName) => {
    const targetId = confirmed.get(remoteName);
    return targetId === undefined || targetId === known.get(remoteName) ? [] : [{ kind, remoteName, targetId }];
  });
}
