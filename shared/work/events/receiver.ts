import * as v from 'valibot';
import { faultOfReceiver } from '#shared/domain/events/receiver.ts';
import { fault } from '#shared/domain/problems.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';

const { ALLOWS_LOOPBACK, OWN_DOMAIN = '' } = parseEnv({
  ALLOWS_LOOPBACK: v.optional(setting),
  /** Behind a firewall, requests come by another name. */
  OWN_DOMAIN: v.optional(setting),
});

/** @param host of the request @throws Problem `validation_failed` */
export function assertReceiver(url: string, host: string): void {
  const surroundings = { ownHosts: [host, OWN_DOMAIN], allowsLoopback: ALLOWS_LOOPBACK === 'true' };
  const message = faultOfReceiver(url, surroundings);
  if (message !== undefined) throw fault('validation_failed', 'url', message);
}
