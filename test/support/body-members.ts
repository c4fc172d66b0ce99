import type { Endpoint } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import type { Json } from './client.ts';
import { faultsOfBody } from './refusals.ts';
import { bodyWith, type Member, membersOf } from './schema-members.ts';

interface BodyMember extends Member {
  /** `createProduct price` */
  readonly title: string;
  readonly endpoint: Endpoint;
}

/** Every member of every body, as the contract lists them. */
export const bodyMembers: readonly BodyMember[] = routes
  .filter(({ body }) => body !== undefined)
  .flatMap((endpoint) =>
    membersOf(endpoint.operationId).map((member) => ({
      title: `${endpoint.operationId} ${member.path}`,
      endpoint,
      ...member,
    })),
  );

/** The codes of the faults that a value has at a member, or inside of it, in a body that is right otherwise. */
export function codesFor({ endpoint, path }: BodyMember, value: unknown): readonly unknown[] {
  // A rate has two names, which may not differ.
  const values = path === 'defaultRate' ? { rate: value, defaultRate: value } : { [path]: value };
  const faults = faultsOfBody(endpoint, bodyWith(Object(endpoint.example.body ?? {}), values));
  return faults.flatMap(({ path: at, code }: Json) => (at === path || at.startsWith(`${path}.`) ? [code] : []));
}
