import type { Context } from 'aws-lambda';

/** Returns all that it was given: the event, the context, and its environment. */
export async function handler(event: unknown, context: Context): Promise<object> {
  return {
    event,
    context: { ...context, remainingMilliseconds: context.getRemainingTimeInMillis() },
    environment: { ...process.env },
  };
}
