import * as v from 'valibot';
import { faultOfReceiver } from '#shared/domain/events/receiver.ts';
import { fault } from '#shared/domain/problems.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';

const { ALLOWS_LOOPBACK, OWN_HOSTS } = parseEnv({
  ALLOWS_LOOPBACK: v.optional(setting),
  /** Names of the service: a request comes by one of them. */
  OWN_HOSTS: v.optional(setting),
});

const ownHosts = OWN_HOSTS?.split(' ') ?? [];

/** @param host of the request, which at a desk is the only one @throws Problem `validation_failed` */
export function assertReceiver(url: string, host: string): void {
  const surroundings = { ownHosts: [...ownHosts, host], allowsLoopback: ALLOWS_LOOPBACK === 'true' };
  const message = faultOfReceiver(url, surroundings);
  if (message !== undefined) throw fault('validation_failed', 'url', message);
}
