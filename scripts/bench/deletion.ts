import { setTimeout as sleep } from 'node:timers/promises';
import type { Cloud } from '#scripts/local/cloud.ts';
import { makeCaller } from './caller.ts';
import type { Effort } from './effort.ts';

/** Deleting a project with many entries, whose worker is killed once on its way. */
export interface Deletion {
  readonly entries: number;
  /** Until DELETE has answered. */
  readonly answerMilliseconds: number;
  /** Until no entry is linked to the project any more. */
  readonly unlinkedSeconds: number;
  /** Invocations of the worker. */
  readonly deliveries: number;
  readonly linksLeft: number;
}

const ENTRIES: Readonly<Record<Effort, number>> = { sample: 1_000, full: 50_000 };

/** How many calls to the table the worker makes before it is killed: about half of its way. */
const CALLS_BEFORE_KILL: Readonly<Record<Effort, number>> = { sample: 6, full: 300 };

const KILL = {
  status: 400,
  body: JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', message: 'killed' }),
};

export async function measureDeletion(cloud: Cloud, effort: Effort): Promise<Deletion> {
  const { readLedger } = await import('#shared/data/ledger.ts');
  const { findUnlinking } = await import('#shared/data/unlinking.ts');
  const by = await makeCaller(cloud, { entries: ENTRIES[effort], days: 365, projects: 1, until: '2026-01-01' });
  const [id = ''] = by.projectIds;

  const invocations = new Set<string>();
  let calls = 0;
  const endInterception = cloud.intercept(({ functionName, requestId }) => {
    if (!functionName?.endsWith('-unlink')) return undefined;
    if (requestId) invocations.add(requestId);
    calls += 1;
    return calls === CALLS_BEFORE_KILL[effort] ? KILL : undefined;
  });
  const startedAt = performance.now();
  const { status } = await by.call('deleteProject', { params: { id } });
  const answerMilliseconds = performance.now() - startedAt;
  if (status !== 200) throw new Error(`The deletion answered ${status}.`);
  const { organizationId } = by;
  const subject = { kind: 'project' as const, organizationId, id };
  while (await findUnlinking(subject)) await sleep(500);
  endInterception();
  const cells = await readLedger(organizationId, {});
  return {
    entries: cells.reduce((sum, cell) => sum + cell.entries, 0),
    answerMilliseconds,
    unlinkedSeconds: (performance.now() - startedAt) / 1_000,
    deliveries: invocations.size,
    linksLeft: cells.filter(({ dimensions }) => dimensions.projectId !== null).length,
  };
}
