import type { NumberedEvent } from './event.ts';
import { OBJECT_OF_EVENT } from './event-types.ts';

/** A part of the feed: what was looked through, up to a number. */
export interface FeedPart {
  readonly events: readonly NumberedEvent[];
  /** The last number that was looked through, or the present end. */
  readonly last: number;
  /** The number of the oldest event that is kept, or of the next one. */
  readonly oldest: number;
  /** Whether there is more behind it. */
  readonly hasMore: boolean;
}

/** An answer has less, and its `meta` beside it. */
const MAX_BYTES = 199_000;

/** The events that are shown, as many as fit. The first always does: none has more than 100 ids. */
export function presentPage({ events, last, oldest, hasMore }: FeedPart, isShown: (event: NumberedEvent) => boolean) {
  const shown = events.filter(isShown).map(presentEvent);
  let bytes = 0;
  const fits = shown.findIndex((event) => {
    bytes += Buffer.byteLength(JSON.stringify(event)) + 1;
    return bytes > MAX_BYTES;
  });
  const data = fits === -1 ? shown : shown.slice(0, fits);
  const next = fits === -1 ? last : (data.at(-1)?.sequence ?? last);
  return { data, meta: { next, hasMore: hasMore || fits !== -1, oldest } };
}

/** As callers see it. */
export function presentEvent({ id, sequence, type, timestamp, object, actor, entryIds }: NumberedEvent) {
  return {
    id,
    sequence,
    type,
    timestamp,
    data: { object: { type: OBJECT_OF_EVENT[type], ...object }, actor, ...(entryIds && { entryIds }) },
  };
}
