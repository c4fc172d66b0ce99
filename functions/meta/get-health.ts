import { getHealth } from '#shared/contract/meta/get-health.ts';
import { retryable } from '#shared/domain/problems.ts';
import { implementPublic } from '#shared/http/implement-public.ts';

/** GET /health: says that the service takes requests, and with `deep` that the table answers. */
export const handler = implementPublic(getHealth, async ({ query: { deep } }) => {
  if (deep && !(await isTableWell())) throw retryable('temporarily_unavailable', 'The table does not answer.', 5);
  return { status: 'ok' as const };
});

/** Loads what calls the table only when somebody asks for it. */
async function isTableWell(): Promise<boolean> {
  const probe = await import('#shared/data/table/probe.ts');
  return probe.isTableWell();
}
