import { record } from '#shared/data/events/outbox.ts';
import { firstApiKey } from '#shared/data/keys/api-keys.ts';
import { insertion } from '#shared/data/organization/organizations.ts';
import { insertUser } from '#shared/data/organization/users.ts';
import { happening, PLATFORM } from '#shared/domain/events/happening.ts';
import { DEFAULT_RATE_LIMIT } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import type { OrganizationStatus } from '#shared/domain/organization/deletion.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/organization/users.ts';

interface NewOrganization extends Organization {
  readonly status: OrganizationStatus;
  readonly owner: User;
  readonly apiKey: string;
}

/**
 * One transaction makes the organization, its first user, and a key of this user with every scope.
 *
 * @throws Problem `organization_name_taken`
 */
export async function insertOrganization(
  organization: Organization,
  owner: User,
  keyId: string,
  now: Date,
  answer: (made: NewOrganization) => Promise<unknown>,
): Promise<NewOrganization> {
  const of = { organizationId: organization.id, userId: owner.id, createdByKeyId: null };
  const limits = { scopes: SCOPES, rateLimit: DEFAULT_RATE_LIMIT, expiresAt: null };
  const { issued, items } = await firstApiKey({ id: keyId, name: 'First key', ...of, ...limits }, now);
  const made = { ...organization, status: 'active', owner, apiKey: issued.apiKey } as const;
  await answer(made);
  const happenings = [happening('user.created', owner), happening('api_key.created', issued)];
  const recorded = record(organization.id, PLATFORM, now, happenings);
  await insertUser(organization.id, owner, 'owner', [...insertion(organization), ...items, recorded]);
  return made;
}
