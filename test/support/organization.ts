import { NO_PROFILE, type Organization } from '#shared/domain/organization/organization.ts';

/** An organization that has told nothing of itself but what the test says. */
export function organizationOf(told: Partial<Organization> = {}): Organization {
  const at = '2026-11-20T09:30:00.000Z';
  return { ...NO_PROFILE, id: 'org', name: 'Acme', currency: 'USD', logo: null, createdAt: at, updatedAt: at, ...told };
}
