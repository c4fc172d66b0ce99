/** The firewall in front of the gateway adds it to each request (`infra/constructs/house-firewall.ts`). */
export const ORIGIN_HEADER = 'x-origin-secret';
