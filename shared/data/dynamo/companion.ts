import { AsyncLocalStorage } from 'node:async_hooks';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

/**
 * One more item of the next transaction of the work at hand: both are written, or neither is. A request so keeps its
 * answer in the very transaction that makes the answer true (`shared/data/retries/attempts.ts`). A companion goes along
 * once. If the transaction fails for a condition, whoever tries again says anew what goes along, because it may be
 * something else by then.
 */
export interface Companion {
  /** Called before the transaction, which waits for it. */
  readonly item: () => Promise<TransactItem>;
  readonly written: () => void;
  /** The error to throw when the condition of the item does not hold. */
  readonly refused: () => Error;
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const places = new AsyncLocalStorage<{ next: Companion | undefined }>();

/** Runs work whose transactions may have companions. */
export function accompanied<T>(work: () => T): T {
  return places.run({ next: undefined }, work);
}

/** Sends a companion along with the next transaction. */
export function accompany(companion: Companion): void {
  const place = places.getStore();
  if (place) place.next = companion;
}

export function takeCompanion(): Companion | undefined {
  const place = places.getStore();
  const companion = place?.next;
  if (place) place.next = undefined;
  return companion;
}
