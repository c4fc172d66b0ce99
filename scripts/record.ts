import type { Write } from '#shared/data/table/transaction.ts';
import { type Happening, PLATFORM } from '#shared/domain/events/happening.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';

/** The events of what an operator changes. Nobody reads those of the platform's keys, so there are none. */
export async function recordAsOperator(
  organizationId: string,
  ...happenings: readonly Happening[]
): Promise<readonly Write[]> {
  if (organizationId === PLATFORM_ID) return [];
  // The data modules read the environment when they are loaded.
  const { recordAll } = await import('#shared/data/events/outbox.ts');
  return recordAll(organizationId, PLATFORM, new Date(), happenings);
}
