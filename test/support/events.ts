import type { Client, Json } from './client.ts';

/** All events behind a number, as a caller gets them page by page. */
export async function eventsOf(
  caller: Client,
  after = 0,
  query: Readonly<Record<string, string>> = {},
): Promise<Json[]> {
  const events: Json[] = [];
  for (let next = after; ; ) {
    const { status, body } = await caller.get('/v1/events', { ...query, after: String(next) });
    if (status !== 200) throw new Error(`GET /v1/events answered ${status}.`);
    events.push(...body.data);
    next = body.meta.next;
    if (!body.meta.hasMore) return events;
  }
}

/** The number of the newest event: what happens from now on lies behind it. */
export async function presentEnd(caller: Client): Promise<number> {
  for (;;) {
    const { body } = await caller.get('/v1/events', { after: 'latest' });
    if (!body.meta.hasMore) return body.meta.next;
  }
}

/** What lies behind a number, each as its type and its object. */
export async function happenedSince(caller: Client, after: number): Promise<Json[]> {
  return (await eventsOf(caller, after)).map(({ type, data: { object } }) => [type, object]);
}
