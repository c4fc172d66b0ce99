import type { Role } from '#shared/domain/role.ts';

/** A write scope does not include the read scope. */
export const SCOPES = [
  'products:read',
  'products:write',
  'clients:read',
  'clients:write',
  'invoices:read',
  'invoices:write',
  'tracker:read',
  'tracker:write',
  'tracker:remote',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'keys:read',
  'keys:write',
  'organization:write',
  'users:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes of people who have signed in. */
export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  admin: SCOPES,
  member: ['products:read', 'clients:read', 'tracker:read', 'tracker:write', 'events:read'],
};

/** A key has these or those: the platform's keys belong to no organization, and reach nothing within one. */
export const PLATFORM_SCOPES = ['organizations:read', 'organizations:write'] as const;

export type PlatformScope = (typeof PLATFORM_SCOPES)[number];

export type AnyScope = Scope | PlatformScope;

export const ANY_SCOPES = [...SCOPES, ...PLATFORM_SCOPES] as const;
