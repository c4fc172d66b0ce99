import * as v from 'valibot';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { ORIGIN_HEADER } from '#shared/runtime/origin.ts';
import { AlreadyAnswered, header, type Step } from './exchange.ts';

/** Two while one of them is replaced. */
const { ORIGIN_SECRETS } = parseEnv({ ORIGIN_SECRETS: v.optional(setting) });

const accepted = ORIGIN_SECRETS?.split(' ');

/** Refuses a request that went around the firewall, where the stage has one. */
export function origin(): Step {
  return {
    before: (request) => {
      if (!accepted || accepted.includes(header(request, ORIGIN_HEADER) ?? '')) return;
      throw new AlreadyAnswered(FORBIDDEN);
    },
  };
}

/** Same answer as the firewall's; neither is in the contract. */
const FORBIDDEN = {
  statusCode: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'Forbidden' }),
};
