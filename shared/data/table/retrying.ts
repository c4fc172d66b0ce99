import { backOff } from '#shared/runtime/backoff.ts';
import { ConditionFailed } from './transaction.ts';

/**
 * Starts again from the present state when the attempt throws ConditionFailed.
 *
 * @param read throws when there is nothing left to write
 */
export async function retrying<State, Outcome>(
  read: () => Promise<State>,
  attempt: (state: State) => Promise<Outcome>,
): Promise<Outcome> {
  for (let failures = 0; ; failures++) {
    const state = await read();
    try {
      return await attempt(state);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    await backOff(failures);
  }
}
