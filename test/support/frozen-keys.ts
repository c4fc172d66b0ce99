import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { IssuerKeys } from '#shared/caller/sign-in/issuer-keys.ts';
import { withDeadline } from '#shared/runtime/deadline.ts';

/** Plays a function that verifies tokens, in a process that can be stopped between two events. */

const FETCH_MILLISECONDS = 1_000;
const EVENT_MILLISECONDS = 5_000;
const MILLISECONDS_PER_HOUR = 3_600_000;

const event = v.object({ kid: v.string(), hoursLater: v.number() });

let ahead = 0;
const keys = new IssuerKeys(process.argv[2] ?? '', () => Date.now() + ahead, FETCH_MILLISECONDS);

process.on('message', async (message) => {
  const { kid, hoursLater } = v.parse(event, message);
  ahead += hoursLater * MILLISECONDS_PER_HOUR;
  const found = await withDeadline(EVENT_MILLISECONDS, () => keys.find(kid)).then(
    (key) => (key ? 'accepted' : 'refused'),
    () => 'unavailable',
  );
  // The rest of a request.
  await sleep(15);
  process.send?.(found);
});

process.send?.('ready');
