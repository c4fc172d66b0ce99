import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { SCOPES } from '#shared/domain/scopes.ts';

/** Deleting a project with 50,000 entries, whose worker is killed once on its way. */
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

const ENTRIES = 50_000;

/** How many calls to the table the worker makes before it is killed: about half of its way. */
const CALLS_BEFORE_KILL = 300;

const KILL = {
  status: 400,
  body: JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', message: 'killed' }),
};

export async function measureDeletion(cloud: Cloud): Promise<Deletion> {
  // The data modules read the environment when they are loaded.
  Object.assign(process.env, cloud.operatorEnvironment);
  const { issueApiKey } = await import('#shared/data/keys.ts');
  const { readLedger } = await import('#shared/data/ledger.ts');
  const { findUnlinking } = await import('#shared/data/unlinking.ts');
  const { seed } = await import('./seed.ts');
  const owner = { organizationId: uuidV7(), userId: uuidV7() };
  const key = {
    id: uuidV7(),
    name: 'Benchmark',
    ...owner,
    scopes: SCOPES,
    rateLimit: 600,
    expiresAt: null,
    currency: 'USD',
  };
  const { apiKey } = await issueApiKey(key, new Date());
  const [project] = await seed({ ...owner, entries: ENTRIES, days: 365, projects: 1, until: '2026-01-01' });
  if (!project) throw new Error('The seed made no project.');

  const invocations = new Set<string>();
  let calls = 0;
  cloud.intercept(({ functionName, requestId }) => {
    if (!functionName?.endsWith('-unlink')) return undefined;
    if (requestId) invocations.add(requestId);
    calls += 1;
    return calls === CALLS_BEFORE_KILL ? KILL : undefined;
  });
  const startedAt = performance.now();
  const response = await fetch(`${cloud.url}/v1/work/tracker/projects/${project.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const answerMilliseconds = performance.now() - startedAt;
  if (!response.ok) throw new Error(`DELETE answered ${response.status}.`);
  const subject = { kind: 'project' as const, organizationId: owner.organizationId, id: project.id };
  while (await findUnlinking(subject)) await sleep(500);
  const cells = await readLedger(owner.organizationId, {});
  return {
    entries: cells.reduce((sum, cell) => sum + cell.entries, 0),
    answerMilliseconds,
    unlinkedSeconds: (performance.now() - startedAt) / 1_000,
    deliveries: invocations.size,
    linksLeft: cells.filter(({ dimensions }) => dimensions.projectId !== null).length,
  };
}
