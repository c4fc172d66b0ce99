import { firstApiKey } from '#shared/data/keys/api-keys.ts';
import { insertion } from '#shared/data/organization/organizations.ts';
import { insertUser } from '#shared/data/organization/users.ts';
import { DEFAULT_RATE_LIMIT } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import type { OrganizationStatus } from '#shared/domain/organization/deletion.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/organization/users.ts';

/**
 * One transaction makes the organization, its first user, and a key of this user with every scope.
 *
 * @returns the key, and the status
 * @throws Problem `organization_name_taken`
 */
export async function insertOrganization(
  organization: Organization,
  owner: User,
  keyId: string,
  now: Date,
): Promise<{ readonly status: OrganizationStatus; readonly apiKey: string }> {
  const of = { organizationId: organization.id, userId: owner.id, createdByKeyId: null };
  const limits = { scopes: SCOPES, rateLimit: DEFAULT_RATE_LIMIT, expiresAt: null };
  const { issued, items } = await firstApiKey({ id: keyId, name: 'First key', ...of, ...limits }, now);
  await insertUser(organization.id, owner, 'owner', [...insertion(organization), ...items]);
  return { status: 'active', apiKey: issued.apiKey };
}
