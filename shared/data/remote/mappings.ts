import * as v from 'valibot';
import { type RemoteNameKind, remoteNameKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import { ITEMS_PER_TRANSACTION, transact } from '#shared/data/table/transaction.ts';
import { assign } from '#shared/data/table/writes.ts';
import type { Mappings } from '#shared/domain/remote/import-plan.ts';
import { remoteNames } from '#shared/domain/remote/mapping.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';

/** A mapping of all names would outgrow an item. It outlives its target, so its reader checks what still exists. */

const KINDS = { clients: 'CLIENT', projects: 'PROJECT', users: 'USER' } as const;

type Named = keyof typeof KINDS;

const NAMED = ['clients', 'projects', 'users'] as const satisfies readonly Named[];

const stored = v.object({
  kind: v.string(),
  remoteName: v.string(),
  targetId: v.nullable(v.string()),
});

type Names = Readonly<Record<Named, readonly string[]>>;

/** Null: the name stands for nothing. */
export async function readRemembered(organizationId: string, accountId: string, names: Names): Promise<Mappings> {
  const keys = NAMED.flatMap((named) =>
    names[named].map((name) => remoteNameKey(organizationId, accountId, KINDS[named], name)),
  );
  const remembered = v.parse(v.array(stored), await batchGet(keys));
  const mappingOf = (named: Named) =>
    new Map(
      remembered
        .filter(({ kind }) => kind === KINDS[named])
        .map(({ remoteName, targetId }) => [remoteName, targetId] as const),
    );
  return { clients: mappingOf('clients'), projects: mappingOf('projects'), users: mappingOf('users') };
}

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
  const ofRows = remoteNames(rows);
  const namesOf = (named: Named) => ofRows[named].filter((name) => confirmed[named].has(name));
  const names = { clients: namesOf('clients'), projects: namesOf('projects'), users: namesOf('users') };
  const known = await readRemembered(organizationId, accountId, names);
  const puts = NAMED.flatMap((named) =>
    fresh(KINDS[named], names[named], confirmed[named], known[named]).map((item) =>
      assign({ ...remoteNameKey(organizationId, accountId, item.kind, item.remoteName), ...item }, v.parser(stored)),
    ),
  );
  for (const batch of batchesOf(puts, ITEMS_PER_TRANSACTION)) await transact(batch);
}

function fresh(
  kind: RemoteNameKind,
  names: readonly string[],
  confirmed: Mappings['clients'],
  known: Mappings['clients'],
): (v.InferOutput<typeof stored> & { readonly kind: RemoteNameKind })[] {
  return names.flatMap((remoteName) => {
    const targetId = confirmed.get(remoteName);
    return targetId === undefined || targetId === known.get(remoteName) ? [] : [{ kind, remoteName, targetId }];
  });
}
