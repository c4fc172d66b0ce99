import type { Context } from 'aws-lambda';

/** Returns all that it was given: the event, the context, and its environment. Over HTTP, the body is the event. */
export async function handler(event: unknown, context: Context): Promise<object> {
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event }),
    context: { ...context, remainingMilliseconds: context.getRemainingTimeInMillis() },
    environment: { ...process.env },
  };
}
