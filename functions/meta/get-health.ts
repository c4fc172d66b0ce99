import { getHealth } from '#shared/contract/meta/meta.ts';
import { implementPublic } from '#shared/http/implement-public.ts';

/** GET /health: says that the service takes requests. Reads nothing from the table. */
export const handler = implementPublic(getHealth, async () => ({ status: 'ok' as const }));
