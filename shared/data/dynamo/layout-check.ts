import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Problem } from '#shared/domain/problems.ts';
import { logger } from '#shared/runtime/logger.ts';
import { LAYOUT, otherLayout, readLayout } from './layout.ts';

let checked: Promise<void> | undefined;

/**
 * Checks the layout before every call to the table. A running function reads the layout only once.
 *
 * @param connection one whose calls do not wait for this check
 * @throws Problem `temporarily_unavailable` when the table has another layout
 */
export function layoutChecked(connection: DynamoDBDocumentClient, table: string): Promise<void> {
  checked ??= check(connection, table).catch((error: unknown) => {
    checked = undefined;
    throw error;
  });
  return checked;
}

/** For an operator's commands, which check the layout themselves. */
export function acceptAnyLayout(): void {
  checked = Promise.resolve();
}

async function check(connection: DynamoDBDocumentClient, table: string): Promise<void> {
  const layout = await readLayout(connection, table);
  if (layout === undefined || layout === LAYOUT) return;
  logger.error(otherLayout(table, layout));
  throw new Problem('temporarily_unavailable', {
    detail: 'The service is being updated.',
    headers: { 'Retry-After': '60' },
  });
}
