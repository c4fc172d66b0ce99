import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { askTable } from './database.ts';

/** Strangers may ask as often as they like. An instance asks the table this often at most, with one read unit. */
const PROBE_MILLISECONDS = 5_000;

let probe: { readonly isWell: Promise<boolean>; readonly endsAt: number } | undefined;

/** Whether the table answers, and has the layout of this version. */
export function isTableWell(): Promise<boolean> {
  if (!probe || Date.now() >= probe.endsAt) probe = { isWell: ask(), endsAt: Date.now() + PROBE_MILLISECONDS };
  return probe.isWell;
}

async function ask(): Promise<boolean> {
  try {
    await askTable();
    return true;
  } catch (error) {
    const cause = asError(error);
    logger.error('the table does not answer', { error: cause });
    return false;
  }
}
