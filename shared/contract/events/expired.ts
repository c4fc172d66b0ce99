import { integer } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';

const oldest = described(integer, 'The number of the oldest event that is kept.');

/** Members of the problem for whoever asks for events behind a number. */
export const EXPIRED = { events_expired: { oldest: { schema: oldest, example: 120 } } } as const;
